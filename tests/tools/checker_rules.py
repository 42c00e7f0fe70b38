"""What the rules of a contract have to do after the verdicts that a checker printed, from what the guide says about escalation."""

# Actions that change traffic, from the weakest to the strongest.
STRENGTHS = ["correct", "route", "quarantine", "hold", "rollback"]


class Past:
    """The verdicts of the clauses that bind a slice, at each evaluation that asked for the slice."""

    def __init__(self, clauses):
        self.clauses = clauses  # by name the numbers of their checks
        self.satisfied = set()  # checks that had a satisfied window since their clause had its last one
        self.evaluations = []  # by name a verdict, and whether it is new

    def add(self, printed, is_asked):
        """Adds an evaluation. One that does not ask for the slice changes no rule, and what it brought is not new later."""
        now = {name: self.standing(checks, printed) for name, checks in self.clauses.items()}
        self.evaluations += [now] if is_asked else []

    def standing(self, checks, printed):
        """Returns a clause's verdict, and whether it is new. A satisfied one is new once each of its checks had a satisfied window."""
        verdicts = {printed[check] for check in checks}
        self.satisfied |= {check for check in checks if printed[check] == "satisfied"}
        self.satisfied -= {check for check in checks if not printed[check].startswith("satisfied")}
        if self.satisfied.issuperset(checks):
            self.satisfied.difference_update(checks)
            return "satisfied", True
        if verdicts & {"violated", "violated-kept"}:
            return "violated", "violated" in verdicts
        return ("undecided", True) if "undecided" in verdicts else ("satisfied", False)

    def held(self, verdict, of, windows):
        """Returns whether a state holds now and held in so many windows. `any` leaves out clauses about observability."""
        histories = [[then[name] for then in reversed(self.evaluations)] for name in self.clauses if name == of or of == "any" and name != "coherent"]
        if not any(history[0][0] == verdict for history in histories):
            return False
        if verdict == "satisfied":
            return all(self.satisfied_windows(history) >= windows for history in histories)
        count = 0
        for standings in zip(*histories):
            if (verdict, True) in standings:
                count += 1
            elif not {verdict, "undecided"} & {each for each, _ in standings}:
                break
        return count >= windows

    @staticmethod
    def satisfied_windows(history):
        """Returns how many of a clause's last windows satisfied it, without one between them that did not."""
        count = 0
        for verdict, is_new in history:
            if verdict != "satisfied":
                break
            count += is_new
        return count


def step_of(rule, age):
    """Returns the step that a rule is in, so many evaluations after it became active."""
    for number, (windows, _) in enumerate(rule.steps[:-1]):
        if age < windows:
            return number
        age -= windows
    return len(rule.steps) - 1


def decides(rules, steps):
    """Returns the rule whose action is the strongest, the first among equals, or None. `steps` has the step of each active rule."""
    strengths = [(STRENGTHS.index(kind), -number) for number, step in steps.items()
                 for action in rules[number].steps[step][1] if (kind := action.split("(")[0]) in STRENGTHS]
    return -max(strengths)[1] if strengths else None


def expected(contract, findings):
    """Returns the lines that a driver has to print about rules after each evaluation."""
    out = [[] for _ in contract.data.times]
    for place, name in enumerate(contract.names):
        past, since = Past(contract.checks_of(name)), {}  # of each active rule, how many evaluations were before it
        for tick, lines in enumerate(out):
            is_asked = not contract.is_empty[place] or contract.data.is_busy(tick, place)
            past.add({check: printed for (at, check, of), (printed, *_) in findings.items() if (at, of) == (tick, place)}, is_asked)
            for number, rule in enumerate(contract.rules if is_asked else []):
                if number not in since:
                    if (not rule.slices or name in rule.slices) and rule.when[1](past):
                        since[number] = len(past.evaluations)
                elif rule.until and rule.until[1](past):
                    del since[number]
            steps = {number: step_of(contract.rules[number], len(past.evaluations) - since[number]) for number in sorted(since)}
            lines += [f"active {place} {number} {step}" for number, step in steps.items()]
            decided = decides(contract.rules, steps)
            lines += [f"decides {place} {decided}"] if decided is not None else []
    return out


def disagreements(contract, found):
    """Returns where the rules of a run do something else, in words."""
    return [f"rules at tick {tick}: {[line for line in printed if line not in wanted]}, expected {[line for line in wanted if line not in printed]} after its verdicts"
            for tick, (printed, wanted) in enumerate(zip(found.rules, expected(contract, found.findings))) if printed != wanted]
