"""Random slices and rules: as text, and as what they mean."""

import operator
from dataclasses import dataclass
from random import Random

from checker_tables import FIELDS

HOW = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "==": operator.eq, "!=": operator.ne}
LABELS = {"task": ["a", "b", "c"], "tier": ["gold", "tin"]}
VERSIONS = ["v1", "v2", ""]
NUMBERS = {field.symbol: [0, 1, 7, 512, 8192] if field.dimension == "Tokens" else [1, 4, 32] if field.whole else [0.25, 0.5, 1]
           for field in FIELDS if field.dimension != "Text"}
TEXTS = {**LABELS, "model_version": VERSIONS}


def comparison(random):
    """A condition on one field, and whether a request meets it."""
    if random.random() < 0.5:
        name, how, bound = random.choice(list(NUMBERS)), random.choice(list(HOW)), None
        if name == "position":  # which leaves no whole responses, that some clause asks for
            name = "response_tokens"
        bound = random.choice(NUMBERS[name])
        if random.random() < 0.25:
            among = random.sample(NUMBERS[name], 2)
            return f"{name} in {{{among[0]}, {among[1]}}}", lambda request: request[name] in among
        return f"{name} {how} {bound}", lambda request: HOW[how](request[name], bound)
    name = random.choice(list(TEXTS))
    if random.random() < 0.3:
        among = random.sample(TEXTS[name], 2)
        return f"{name} in {{" + ", ".join(f'"{text}"' for text in among) + "}", lambda request: request[name] in among
    how, text = random.choice(["==", "!="]), random.choice(TEXTS[name])
    return f'{name} {how} "{text}"', lambda request: HOW[how](request[name], text)


def condition(random, depth=0):
    kind = random.choice(["one", "one", "and", "or", "not"]) if depth < 3 else "one"
    if kind == "one":
        return comparison(random)
    return joined(kind, [condition(random, depth + 1) for _ in range(1 if kind == "not" else random.choice([2, 2, 3]))])


def joined(kind, parts):
    """Returns the text of conditions under `not`, `and` or `or`, and what says whether it holds of something."""
    if kind == "not":
        return f"not ({parts[0][0]})", lambda of: not parts[0][1](of)
    combine = all if kind == "and" else any
    return f" {kind} ".join(f"({text})" for text, _ in parts), lambda of: combine(holds(of) for _, holds in parts)


def shares(random, count):
    """Weights of slices, of which some are 0; or so that nothing is left for the remainder; or none."""
    kind = random.choice(["none", "some", "all"])
    if kind == "none":
        return [None] * count
    weights = [random.choice([0, 10, 20]) for _ in range(count)]
    if kind == "all":
        weights[-1] = 100 - sum(weights[:-1])
    return weights


def slices(random):
    """Names in order, the remainder last, the text, the place of a request, and which have a weight of 0."""
    chosen = [(f"s{i}", *condition(random)) for i in range(random.choice([1, 2, 3, 4]))]
    labels = ", ".join(f"{name}: [{', '.join(values)}]" for name, values in LABELS.items())
    weights = shares(Random(str([when for _, when, _ in chosen])), len(chosen))
    rows = (f"  {name}: {{ when: '{when}'{'' if weight is None else f', weight: {weight}%'} }}" for (name, when, _), weight in zip(chosen, weights))
    text = f"labels: {{ {labels} }}\nslices:\n" + "\n".join(rows)
    is_empty = [weight == 0 for weight in [*weights, 100 - sum(weight or 0 for weight in weights)]]
    place_of = lambda request: next((i for i, of in enumerate(chosen) if of[2](request)), len(chosen))  # noqa: E731
    return [*(name for name, *_ in chosen), "other"], text, place_of, is_empty


def request(random):
    """Fields at the bounds of conditions, and beside them."""
    numbers = {name: random.choice(bounds) + random.choice([0, 0, 1 if min(bounds[1:]) >= 1 else 0.125]) for name, bounds in NUMBERS.items()}
    return numbers, {name: random.choice(values) for name, values in TEXTS.items()}


INPUTS = {"rows": "sample(logits", "tokens": "sample(logprobs", "requests": "sample(requests", "routes": "sample(routes",
          "batches": "replay(batch", "again": "replay(request"}
ACTIONS = ["alert(\"us\")", "sample(logits, 50%)", "correct(tis, 2)", "correct(mis, 0.5, 2)", "route(safe, probe=1%)", "quarantine", "hold", "rollback"]


@dataclass
class Rule:
    """A condition is a text, and what says whether it holds of a `Past` of checker_rules.py. A step is how many windows it lasts, and its actions."""
    when: tuple
    until: tuple  # or None
    steps: list
    slices: list = ()  # none for every slice

    @property
    def text(self):
        def doing(actions):
            return "do: [" + ", ".join(f"'{each}'" for each in actions) + "]"

        words = [f"when: '{self.when[0]}'"] + ([f"until: '{self.until[0]}'"] if self.until else [])
        words.append("steps: [" + ", ".join(f"{{ for: {windows} windows, {doing(actions)} }}" for windows, actions in self.steps) + "]"
                     if len(self.steps) > 1 else doing(self.steps[0][1]))
        words += [f"slices: [{', '.join(self.slices)}]"] if self.slices else []
        return "{ " + ", ".join(words) + " }"


def state(verdict, of, windows=1):
    """Returns a condition: whether the clause `of` has a verdict, and had it in so many windows."""
    return f"{verdict}({of})" + (f" for {windows} windows" if windows > 1 else ""), lambda past: past.held(verdict, of, windows)


def trigger(random, clauses, depth=0):
    kind = random.choice(["one", "one", "one", "one", "and", "or", "not"]) if depth < 2 else "one"
    if kind == "one":
        of = random.choice(["any", *(f"c{random.randrange(clauses)}" for _ in range(4))])
        windows = random.choice([1, 2, 3])
        return state(random.choice(["violated", "undecided", "satisfied"]), of, windows)
    return joined(kind, [trigger(random, clauses, depth + 1) for _ in range(1 if kind == "not" else 2)])


def actions(random):
    return random.sample(ACTIONS, random.choice([1, 1, 2, 3]))


def rule(random, clauses, names):
    """Returns a rule with steps or without, a latch or not, of some slices or of all."""
    when = trigger(random, clauses)
    until = trigger(random, clauses) if random.random() < 0.6 else None
    has_steps = random.random() < 0.4
    steps = [(random.choice([1, 2, 3]), actions(random)) for _ in range(random.choice([2, 3]))] if has_steps else [(0, actions(random))]
    return Rule(when, until, steps, random.sample(names, random.randrange(1, len(names) + 1)) if random.random() < 0.3 else [])


def rules(random, clauses, names):
    """Returns rules in order; the last one is about log-probs."""
    until = joined("or", [state("satisfied", "coherent"), state("undecided", "coherent", 2)])
    return [*(rule(random, clauses, names) for _ in range(random.choice([6, 7, 8]))),
            Rule(state("violated", "coherent"), until, [(0, ["quarantine"])])]


def sampling(random):
    """Returns by name how many percent of each input are to be observed."""
    return {name: random.choice([100, 100, 50, 10, 1]) for name in INPUTS}


# Beside what is drawn of all else, so that that stays what it was.
SURENESSES = ["50%", "90%", "99%", "99.9%"]


def coherence(random):
    """Whether log-probs are of the law that drew them, and how sure that is to be."""
    confidence = random.choice(SURENESSES)
    return f"  coherent: coherent(logprobs, {confidence})\n", 1 - float(confidence.rstrip("%")) / 100
