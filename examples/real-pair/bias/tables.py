"""What was found, as tables in Markdown."""

import math

CORRECTIONS = ("none", "is", "tis", "mis", "clip", "ppo")
SAYS = {"tis": "tis(1.1)", "mis": "mis(0.9, 1.1)", "clip": "clip(0.1)", "ppo": "ppo(0.1, 0.1)"}


def number(value):
    if value is None:
        return "–"
    return "0" if abs(value) < 1e-14 else f"{float(value):.2g}"


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def chosen(found, **asked):
    return [each for each in found if all(getattr(each, name) == value for name, value in asked.items())]


def gradients(found):
    """Of one server and one estimator, each drift's truth and bound."""
    rows = []
    for drift in sorted({each.drift for each in found}):
        here = chosen(found, world="usual", server="weights", drift=drift, quantity="bias", estimator="token_mc")
        by_name = {each.correction: each for each in here}
        rows.append([f"{drift:g}", *(f"{number(by_name[name].true)} / {number(by_name[name].proved)}" for name in CORRECTIONS)])
    return table(["drift", *(f"`{SAYS.get(name, name)}`" for name in CORRECTIONS)], rows)


def responses(found):
    rows = []
    for drift in sorted({each.drift for each in found}):
        row = [f"{drift:g}"]
        for quantity in ("answers", "reward"):
            here = {each.clauses: each for each in chosen(found, world="usual", server="weights", drift=drift, quantity=quantity)}
            row += [number(here["rows"].true), *(number(here[kind].proved) for kind in ("rows", "tokens", "responses"))]
        rows.append(row)
    return table(["drift", "sequence TV", "by rows", "by tokens", "by responses", "reward drift", "by rows", "by tokens", "by responses"], rows)


def span(found):
    """The least and the largest of bound over truth. A truth of 0 is met by a bound of 0, or not."""
    ratios = [each.ratio for each in found if each.proved is not None and math.isfinite(each.ratio) and each.true > 1e-14]
    if not ratios:
        return "–" if all(each.proved is None for each in found) else "exact" if not any(each.proved for each in found) else "above 0"
    least, most = min(ratios), max(ratios)
    return f"{least:.3g}" if f"{least:.3g}" == f"{most:.3g}" else f"{least:.3g} … {most:.3g}"


def ratios(found, world):
    rows = [[f"`{estimator}`" if "," not in estimator else "`token_mc`, mean by length",
             *(span(chosen(found, world=world, quantity="bias", estimator=estimator, correction=name)) for name in CORRECTIONS)]
            for estimator in dict.fromkeys(each.estimator for each in found if each.estimator)]
    return table(["estimator", *(f"`{name}`" for name in CORRECTIONS)], rows)


def page(found):
    decided = [each for each in found if each.proved is not None]
    real = [each for each in decided if each.true > 1e-14]
    tightest = min(real, key=lambda each: each.ratio)
    return "\n\n".join([
        "**The 2-norm of the gradient's bias, true / proved**: other weights, `estimator: token_mc`.", gradients(found),
        "**Whole responses of the same server**, true, and proved from clauses of one kind each.", responses(found),
        "**Bound over truth of the gradient's bias, a usual policy**: the least and the largest over five servers and five drifts.", ratios(found, "usual"),
        "**The same of the worst policy, of one token.**", ratios(found, "worst, 1 token"),
        "**The same of the worst policy, of five tokens.**", ratios(found, "worst, 5 tokens"),
        f"tikc proved {len(decided)} of {len(found)} bounds. None is below the truth, and the nearest is {tightest.ratio:.6f} times it."])
