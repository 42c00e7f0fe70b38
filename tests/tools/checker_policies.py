"""Random slices and rules: as text, and slices also as what they mean."""

import operator
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
    parts = [condition(random, depth + 1) for _ in range(1 if kind == "not" else random.choice([2, 2, 3]))]
    if kind == "not":
        return f"not ({parts[0][0]})", lambda request: not parts[0][1](request)
    combine = all if kind == "and" else any
    return f" {kind} ".join(f"({text})" for text, _ in parts), lambda request: combine(holds(request) for _, holds in parts)


def shares(random, count):
    """Weights of slices, of which some are 0; or so that nothing is left for the remainder; or none."""
    kind = random.choice(["none", "some", "all"])
    if kind == "none":
        return [""] * count
    weights = [random.choice([0, 10, 20]) for _ in range(count)]
    if kind == "all":
        weights[-1] = 100 - sum(weights[:-1])
    return [f", weight: {weight}%" for weight in weights]


def slices(random):
    """Names in order, the remainder last, the text, and the place of a request."""
    chosen = [(f"s{i}", *condition(random)) for i in range(random.choice([1, 2, 3, 4]))]
    labels = ", ".join(f"{name}: [{', '.join(values)}]" for name, values in LABELS.items())
    weights = shares(Random(str(chosen)), len(chosen))
    rows = (f"  {name}: {{ when: '{when}'{weight} }}" for (name, when, _), weight in zip(chosen, weights))
    text = f"labels: {{ {labels} }}\nslices:\n" + "\n".join(rows)
    return [*(name for name, *_ in chosen), "other"], text, lambda request: next((i for i, of in enumerate(chosen) if of[2](request)), len(chosen))


def request(random):
    """Fields at the bounds of conditions, and beside them."""
    numbers = {name: random.choice(bounds) + random.choice([0, 0, 1 if min(bounds[1:]) >= 1 else 0.125]) for name, bounds in NUMBERS.items()}
    return numbers, {name: random.choice(values) for name, values in TEXTS.items()}


ACTIONS = ["alert(\"us\")", "sample(logits, 50%)", "correct(tis, 2)", "correct(mis, 0.5, 2)", "route(safe, probe=1%)", "quarantine", "hold", "rollback"]


def state(random, clauses):
    of = random.choice(["any", *(f"c{random.randrange(clauses)}" for _ in range(4))])
    lasts = random.choice(["", "", " for 2 windows", " for 3 windows"])
    return f"{random.choice(['violated', 'violated', 'undecided', 'satisfied'])}({of}){lasts}"


def trigger(random, clauses, depth=0):
    kind = random.choice(["one", "one", "and", "or", "not"]) if depth < 2 else "one"
    if kind == "one":
        return state(random, clauses)
    if kind == "not":
        return f"not ({trigger(random, clauses, depth + 1)})"
    return f" {kind} ".join(f"({trigger(random, clauses, depth + 1)})" for _ in range(2))


def actions(random):
    return "[" + ", ".join(f"'{each}'" for each in random.sample(ACTIONS, random.choice([1, 1, 2, 3]))) + "]"


def rules(random, clauses, names):
    """Steps, latches and rules of some slices among them."""
    lines = []
    for i in range(random.choice([2, 3, 5])):
        lines.append(f"  r{i}:")
        lines.append(f"    when: '{trigger(random, clauses)}'")
        if random.random() < 0.6:
            lines.append(f"    until: '{trigger(random, clauses)}'")
        if random.random() < 0.4:
            steps = ", ".join(f"{{ for: {random.choice([1, 2, 3])} windows, do: {actions(random)} }}" for _ in range(random.choice([2, 3])))
            lines.append(f"    steps: [{steps}]")
        else:
            lines.append(f"    do: {actions(random)}")
        if random.random() < 0.3:
            lines.append(f"    slices: [{', '.join(random.sample(names, random.randrange(1, len(names) + 1)))}]")
    return "escalation:\n" + "\n".join(lines) + "\n"


def sampling(random):
    lines = []
    for name, input_ in (("rows", "sample(logits"), ("tokens", "sample(logprobs"), ("requests", "sample(requests"), ("routes", "sample(routes"),
                         ("batches", "replay(batch"), ("again", "replay(request")):
        lines.append(f"  {name}: {input_}, {random.choice([100, 100, 50, 10, 1])}%)")
    return "observability:\n" + "\n".join(lines) + "\n"


# Beside what is drawn of all else, so that that stays what it was.
SURENESSES = ["50%", "90%", "99%", "99.9%"]


def coherence(random):
    """Whether log-probs are of the law that drew them, and how sure that is to be."""
    confidence = random.choice(SURENESSES)
    return f"  coherent: coherent(logprobs, {confidence})\n", 1 - float(confidence.rstrip("%")) / 100
