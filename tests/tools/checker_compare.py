"""Holds what a generated checker printed against a reference."""

import math
import subprocess

from checker_assumptions import Seen
from checker_reference import Check, Reference
from harness import PATIENCE

# Of a value relative to itself, or for sums to what was added up; rows are summed in fp32.
EXACT = {"rows": 1e-4, "sequences": 1e-5}
USUAL = 1e-6
# Of an interval's ends: for tokens they allow for sums in fp32.
ENDS = {**EXACT, "tokens": 2e-5}
# Of sums of squares of what is left of two means, and of e^|x|, where |x| is up to 128 in fp32.
COARSE = {"pearson": 1e-5, "mult_prob_error": 5e-6}
# A bucket's width relative to its lower edge, and how many times that a figure of x multiplies it.
BUCKET = 0.03126
FACTORS = ("ratio", "mult_prob_error")  # e^x and e^|x|, of whose logarithm a sketch is
SAMPLED = Check("", "latency")  # stands for the shares observed, which come after the checks and are of whole numbers
# Magnitudes that have buckets; what is beyond them is only known to be so, and to be no further than the extremes.
PLACED = (2.0**-40, 2.0**16)
# Sketches are of fp32, in which what is larger is infinite.
LARGEST = 3.4028234e38


def observed(program, data, tallies=1, shuffled=None):
    """{(tick, check, slice): (verdict, value, low, high, n)}."""
    return Run([str(program), str(tallies)], data, shuffled).findings


class Run:
    """What a checker prints of what it is shown."""

    def __init__(self, command, data, shuffled=None):
        done = subprocess.run(list(map(str, command)), input=data.stream_of_bytes(shuffled), capture_output=True, timeout=PATIENCE)
        if done.returncode != 0:
            raise AssertionError(f"{command} stopped with {done.returncode}: {done.stderr.decode()[-3000:]}")
        self.findings, self.assumed, self.places, self.uses, self.text = {}, {}, [], [], done.stdout.decode()
        self.rules, strays = [[] for _ in data.times], [0] * len(data.times)
        tick = 0
        for line in done.stdout.decode().splitlines():
            words = line.split()
            if words[0] == "evaluated":
                tick += 1
            elif words[0] == "strays":
                strays[tick] += int(words[1])
            elif words[0] == "slice":
                self.places.append(int(words[1]))
            elif words[0] == "uses":
                self.uses = [int(word) for word in words[1:]]
            elif words[0] == "bytes":  # of what a tally would send
                pass
            elif words[0] == "assumed":
                self.assumed[tick - 1, int(words[1])] = Seen.printed(words[2:])
            elif words[0] in ("active", "decides"):
                self.rules[tick - 1].append(line)
            else:
                check, place, verdict, *numbers, n = words
                self.findings[tick - 1, int(check), int(place)] = (verdict, *map(float.fromhex, numbers), int(n))
        if strays != data.strays:
            raise AssertionError(f"strays {strays}, expected {data.strays}")


def expected(checks, data, slices):
    """{(tick, check, slice): what the reference finds}."""
    out = {}
    for index, check in enumerate(checks):
        for place, name in enumerate(slices):
            if check.binds(name):
                found = Reference(check, data, None if check.scope == "all" else place).findings()
                out.update({(tick, index, place): each for tick, each in enumerate(found)})
    return out


def disagreements(checks, data, found, slices, wanted=None):
    """What the checker found and the reference did not, in words."""
    out = []
    for (tick, index, place), each in (wanted or expected(checks, data, slices)).items():
        check = checks[index]
        verdict, value, low, high, n = found[tick, index, place]
        where = f"check {index} `{check.text}` link {check.link} on {slices[place]} at tick {tick}"
        if not each.tight:
            continue
        if (verdict, n) != (each.told, each.n):
            out.append(f"{where}: {verdict} of {n} ({value:.9g}), expected {each.told} of {each.n} ({each.value:.9g})")
        elif not is_right(check, each, value, low, high):
            out.append(f"{where}: {verdict} {value:.9g} in [{low:.9g}, {high:.9g}], expected {each.value:.9g} of {n}")
        elif each.interval and not all(abs(one - other) <= ENDS.get(check.source, USUAL) * max(abs(other), 1)
                                       for one, other in zip((low, high), each.interval())):
            out.append(f"{where}: {verdict} {value:.9g} in [{low:.9g}, {high:.9g}], expected it in {each.interval()} of {n}")
    return out


def differences(checks, one, other):
    """Where two runs over the same observations do not say the same; sums may round otherwise."""
    out = []
    for (tick, index, place), (verdict, *numbers, n) in one.items():
        again, *others, count = other[tick, index, place]
        check = checks[index] if index < len(checks) else SAMPLED
        tolerance = 1e-5 if check.source in ("rows", "sequences") or check.metric == "pearson" else USUAL
        same = all(a == b or math.isnan(a) and math.isnan(b) or abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-6) for a, b in zip(numbers, others))
        if (verdict, n) != (again, count) or not same:
            out.append(f"`{check.text}` on slice {place} at tick {tick}: {verdict} {numbers} of {n}, then {again} {others} of {count}")
    return out if one.keys() == other.keys() else ["other findings"]


def is_right(check, wanted, value, low, high):
    if math.isnan(wanted.value):
        return wanted.verdict == "undecided" and math.isnan(value) or not math.isfinite(value)
    tolerance = max(COARSE.get(check.metric, 0), EXACT.get(check.source, USUAL))
    if check.aggregate == "quantile":
        return is_enclosed(check, wanted, low, high, tolerance) and is_near(check, wanted, value, tolerance)
    if math.isinf(wanted.value) or math.isinf(value):  # of an observation that is none, the end of a range may be shown as such
        return value == wanted.value or check.aggregate in ("max", "min") and (value > 0) == (check.aggregate == "max")
    return abs(value - wanted.value) <= tolerance * max(abs(wanted.value), wanted.scale) + wanted.off + 1e-15


def is_enclosed(check, wanted, low, high, tolerance):
    """A quantile is shown by the bucket it is in, which is one of x for most figures of tokens: what is none is at an end of x, and so of
    the figure."""
    value = min(max(wanted.value, 0), 1) if check.metric == "tv_sampled" else max(wanted.value, 0) if check.metric == "ratio" else wanted.value
    slack = tolerance * abs(value) + wanted.off + 1e-12
    if math.isinf(value):
        return (high if value > 0 else low) == value
    if abs(value) > LARGEST:
        return math.isinf(high if value > 0 else low)
    if not (low - slack <= value <= high + slack):
        return False
    if not PLACED[0] <= abs(value) < PLACED[1]:
        return True
    return high - low <= widest(check, low, high) + 2 * slack


def is_near(check, wanted, shown, tolerance):
    """What is shown of a quantile is as near as the guide says: half a bucket of what the sketch is of."""
    value = wanted.value
    if not math.isfinite(value) or math.isnan(shown):
        return True
    x = math.log(value) if check.metric in FACTORS and value > 0 else value
    if not PLACED[0] <= abs(x) < PLACED[1] or (check.metric == "tv_sampled" and value >= 1):
        return math.isfinite(shown)
    half = BUCKET / 2
    stated = math.expm1(min(half * abs(x), 700)) if check.metric in FACTORS else (1 + half) ** 2 - 1 if check.metric == "k2" else half
    return abs(shown - value) <= (stated + tolerance) * abs(value) + wanted.off + 1e-12


def widest(check, low, high):
    """The width of a bucket in x, taken to the figure."""
    smaller = min(abs(low), abs(high))
    if check.metric in FACTORS:
        return high * -math.expm1(-BUCKET * abs(math.log(high))) + 1e-9 if 0 < high < math.inf else math.inf
    if check.metric == "k2":
        return smaller * (BUCKET + BUCKET**2 / 2) * 2
    return smaller * BUCKET
