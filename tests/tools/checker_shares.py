"""What clauses such as `sample(logits, 10%)` have to find about the share that was observed, from what the guide says about them."""

from checker_reference import limit

ALPHA = 0.01
REPLAYED = {"batches": "batch_drift", "again": "replay_drift"}
ROUNDING = 1e-9


def observed(contract, name, tick, place):
    """Returns how many were observed, on the link that got the least among those whose clauses need them."""
    data = contract.data
    if name in REPLAYED:
        return len(data.values(REPLAYED[name], (), 0, tick, tick, place))
    counts = [data.count(name, link, tick, tick, place) for link in range(len(data.temperatures))]
    if name == "requests":
        return counts[0]
    sources = ("tokens", "sequences") if name == "tokens" else (name,)
    needed = {check.link for check in contract.checks if check.source in sources}
    needed |= {0} if name == "tokens" else set()  # the clause about coherence needs them
    return min((counts[link] for link in needed), default=max(counts))


def disagreements(contract, found):
    """Returns where a checker found something else, in words. These clauses come after all requirements."""
    out = []
    for tick in range(len(contract.data.times)):
        for place, slice_name in enumerate(contract.names):
            for index, (name, percent) in enumerate(contract.rates.items(), len(contract.checks)):
                n = contract.data.served["tokens" if name in ("rows", "tokens", "routes") else "requests", tick, place]
                verdict, wanted = "undecided", []
                if n:
                    seen = observed(contract, name, tick, place)
                    wanted = [seen / n, *(limit(min(seen, n), n, ALPHA, sign) for sign in (1, -1))]
                    is_short = seen / n < percent / 100 and (percent == 100 or wanted[2] < percent / 100)  # by more than chance
                    verdict = "violated" if is_short else "satisfied"
                printed, *numbers, count = found[tick, index, place]
                if (printed, count) != (verdict, n) or any(not abs(one - other) <= ROUNDING for one, other in zip(numbers, wanted)):
                    out.append(f"{name} observed of {slice_name} at tick {tick}: {printed} of {count} {numbers}, expected {verdict} of {n} {wanted}")
    return out
