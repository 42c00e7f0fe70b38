"""Certificates of tikc, changed in every place that a proof rests on, and when a changed one is still as true."""

import copy
import json
import re
from decimal import Context, Decimal, localcontext
from fractions import Fraction

from harness import ROOT


def strictly(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def read(text):
    """The JSON, or None. The end of a line is a blank, in a text, too, as the verifier has it."""
    try:
        return json.loads(re.sub(r"[\r\n]", " ", text.decode(errors="surrogateescape")), object_pairs_hook=strictly)
    except ValueError:
        return None


DRIFTS = {"logit_linf", "logit_osc", "logit_l2", "logit_rel", "omega", "logprob_linf"}


def claimed(certificate):
    """What the certificate says is proved, and all that it says about how; without comments, the bits to start with, where
    files lie, by which numbers entries go, and full support where a drift stands for it."""
    certificate = copy.deepcopy({key: certificate[key] for key in ("certificate", "contract", "version", "build", "files", "inputs", "steps", "claims")})
    for file in certificate["files"]:
        file.pop("name")
    order = {each["id"]: i for i, each in enumerate(certificate["inputs"] + certificate["steps"])}
    about = {each["id"]: each["fact"]["quantity"] for each in certificate["inputs"] + certificate["steps"]}
    for step in certificate["steps"]:
        if any(about[each] in DRIFTS for each in step["args"]):
            step["args"] = [each for each in step["args"] if about[each] != "full_support"]
    for each in certificate["inputs"] + certificate["steps"]:
        each["id"] = order[each["id"]]
        each["args"] = [order[other] for other in each.get("args", [])]
    for claim in certificate["claims"]:
        if "step" in claim:
            claim["step"] = order[claim["step"]]
    certificate["claims"] = [claim for claim in certificate["claims"] if claim["verdict"] == "proved"]
    return certificate


BELOW = {"ess", "seq_ess", "ratio_floor", "seq_ratio_floor", "top1_margin", "sampled_ratio", "least_ratio", "seq_geo_ratio"}


def worth(number):
    """A number, or a logarithm ("1/2 log 3") to sixty digits."""
    factor, *of = number.split(" log ")
    with localcontext(Context(prec=60)):
        return Fraction(factor) * (Fraction((Decimal(Fraction(of[0]).numerator) / Fraction(of[0]).denominator).ln()) if of else 1)


def says_less(old, new):
    """Whether a step's bound says less than the old one did."""
    new = copy.deepcopy(new)
    if "bound" in old:
        before, after = worth(old["bound"]), worth(new["bound"])
        if after <= before if old["fact"]["quantity"] in BELOW else after >= before:
            new["bound"] = old["bound"]
    return new == old


def says_more(old, new):
    """Whether a claim has the old one's text, and a budget that is no larger: bits are rounded to nats."""
    before, after = worth(old["budget"]), worth(new["budget"])
    return {**new, "budget": ""} == {**old, "budget": ""} and (after <= before if "<" in old["op"] else after >= before)


def is_as_true(certificate, other):
    """Whether the other differs by nothing but facts that say less, and claims that it no longer makes."""
    try:
        a, b = claimed(certificate), claimed(other)
        kept = all(any(says_more(old, new) for old in a["claims"]) for new in b["claims"])
        kept = kept and all(len(a[kind]) == len(b[kind]) for kind in ("inputs", "steps"))
        less = all(says_less(old, new) for kind in ("inputs", "steps") for old, new in zip(a[kind], b[kind]))
        rest = [{key: value for key, value in each.items() if key not in ("claims", "inputs", "steps")} for each in (a, b)]
        return kept and less and rest[0] == rest[1]
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return False


def fields(json_value, path=()):
    """Every scalar's path."""
    if isinstance(json_value, dict):
        for key, value in json_value.items():
            yield from fields(value, (*path, key))
    elif isinstance(json_value, list):
        for i, value in enumerate(json_value):
            yield from fields(value, (*path, i))
    else:
        yield path


def changed(certificate, path, value):
    out = copy.deepcopy(certificate)
    at = out
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return out


def without(certificate, path):
    out = copy.deepcopy(certificate)
    at = out
    for step in path[:-1]:
        at = at[step]
    del at[path[-1]]
    return out


def scaled(number, change):
    """A number, or the factor of a logarithm ("1/2 log 3"), after a change."""
    factor, *of = number.split(" log ")
    return " log ".join([str(change(Fraction(factor))), *of])


def nudged(fact, bound):
    """A little inward: below what outward rounding leaves, above it for what is exact."""

    def inward(bound):
        size = max(abs(bound), Fraction(1, 10**6)) / 10**9
        return bound + size if fact["quantity"] in BELOW else bound - size

    return scaled(bound, inward)


class Mutants:
    """Each method yields (what is changed, what makes the changed certificate)."""

    def __init__(self, certificate):
        self.certificate = certificate
        self.steps = list(enumerate(certificate["steps"]))
        self.inputs = list(enumerate(certificate["inputs"]))
        self.facts = {each["id"]: each for each in certificate["inputs"] + certificate["steps"]}
        self.claims = [(i, claim) for i, claim in enumerate(certificate["claims"]) if claim["verdict"] == "proved"]

    def set(self, *path):
        return lambda: changed(self.certificate, path[:-1], path[-1])

    def bounds(self):
        for i, step in self.steps:
            yield step["lemma"], self.set("steps", i, "bound", nudged(step["fact"], step["bound"]))

    def values(self):
        for i, given in self.inputs:
            for factor in (Fraction(10**9 - 1, 10**9), Fraction(10**9 + 1, 10**9)):
                value = scaled(given["value"], lambda of: of * factor or Fraction(1, 10**9))
                yield given["fact"]["quantity"], self.set("inputs", i, "value", value)

    def dropped(self):
        for i, step in self.steps:
            for key in ("args", "params"):
                for j in range(len(step[key])):
                    # A slice without its share has what remains, at the bound of the worst such slice.
                    if step["lemma"] == "L-MIX" and key == "args" and "weight" in self.facts[step[key][j]]["fact"]["quantity"]:
                        continue
                    yield f"{step['lemma']} without {key} {j}", self.set("steps", i, key, step[key][:j] + step[key][j + 1:])

    def rewired(self):
        for i, step in self.steps:
            for j, old in enumerate(step["args"]):
                for new, fact in self.facts.items():
                    # The same fact under another number is as good.
                    if new != old and (fact["fact"] != self.facts[old]["fact"] or bound_of(fact) != bound_of(self.facts[old])):
                        yield f"{step['lemma']} on {new} for {old}", self.set("steps", i, "args", j, new)
        for i, claim in self.claims:
            for new, fact in self.facts.items():
                if new != claim["step"] and fact["fact"] != self.facts[claim["step"]]["fact"]:
                    yield f"claim {claim['id']} on {new}", self.set("claims", i, "step", new)

    def lemmas(self):
        ids = re.findall(r"^(L-[A-Z0-9-]+): ", (ROOT / "verifier/Tables.cpp").read_text(), re.M)
        ids += ["L-Q-MULTI", "L-M-CHORD", "L-MQ", "L-MIX", "L-WORST", "L-MIX-PART", "L-ALL-SLICE", "L-CH-OSC", "L-CH-TV", "L-NONE"]
        for i, step in self.steps:
            for other in ids:
                if other != step["lemma"]:
                    yield f"{step['lemma']} as {other}", self.set("steps", i, "lemma", other)

    def facts_changed(self):
        for kind in ("inputs", "steps"):
            for i, each in enumerate(self.certificate[kind]):
                yield from self.fact(kind, i, each["fact"])
        for i, claim in self.claims:
            yield from self.fact("claims", i, claim["fact"])

    def fact(self, kind, i, fact):
        others = {"quantity": ["omega", "tv", "seq_tv", "kl_infer_train", "horizon", "nothing"], "quantifier": ["sup", "mean", "given", "quantile"]}
        if "share" in fact:
            others["share"] = ["0", str(Fraction(fact["share"]) / 2), str(Fraction(fact["share"]) * (1 - Fraction(1, 10**9)))]
        for key, values in others.items():
            for value in values:
                if value != fact[key]:
                    yield f"{kind} {i}: {key} as {value}", self.set(kind, i, "fact", key, value)

    def places(self):
        """Every fact, about something else that the certificate speaks of, or that none does."""
        facts = [each["fact"] for kind in ("inputs", "steps", "claims") for each in self.certificate[kind] if "fact" in each]
        usual = {"scope": {"*", "", "a", "other"}, "link": {"", "trainer>middle", "middle>rollout", "trainer>rollout", "rollout>trainer"},
                 "laws": {"", "served served", "served whole", "kept served", "kept whole", "whole served", "raw served", "served raw", "served nominal"},
                 "drawn": {"", "trainer", "middle", "rollout", "text"}}
        for key, values in usual.items():
            values |= {fact[key] for fact in facts if key in fact}
        for kind in ("inputs", "steps", "claims"):
            for i, each in enumerate(self.certificate[kind]):
                if kind == "claims" and each["verdict"] != "proved":
                    continue
                for key, values in usual.items():
                    for value in sorted(values - {each["fact"].get(key, "")}):
                        yield f"{kind} {i}: {key} as {value}", self.set(kind, i, "fact", key, value)

    def claims_listed(self):
        """Parts of claims that are left out, come twice or in another order, and the contract of another name."""
        listed = self.certificate["claims"]
        for i, claim in enumerate(listed):
            yield f"without claim {claim['id']}", self.set("claims", listed[:i] + listed[i + 1:])
            yield f"claim {claim['id']} twice", self.set("claims", listed[:i] + listed[i:i + 1] + listed[i:])
        yield "claims in another order", self.set("claims", listed[1:] + listed[:1] if len(listed) > 1 else [])
        for name in {"x", *re.findall(r"^contract: *(\S+)", self.certificate["files"][0]["text"], re.M)} - {self.certificate["contract"]}:
            yield f"as contract {name}", self.set("contract", name)
        yield "another version", self.set("version", "9.9.9")
        yield "another build", self.set("build", {"trainer": "x"})

    def quotes(self):
        """Every quote, a byte on, and in place of each other one."""
        starts = [path for path in fields(self.certificate) if path[-1] == "from"]
        for path in starts:
            own = self.at(path)
            for other in {own - 1, own + 1, *(self.at(each) for each in starts)} - {own}:
                yield f"{path} at byte {other} for {own}", self.set(*path, other)

    def at(self, path):
        out = self.certificate
        for step in path:
            out = out[step]
        return out

    def claims_changed(self):
        for i, claim in self.claims:
            changes = (lambda of: of * Fraction(10**9 - 1, 10**9), lambda of: of * Fraction(10**9 + 1, 10**9), lambda of: of / 2, lambda of: of + 1)
            for value in (scaled(claim["budget"], change) for change in changes):
                yield f"{claim['id']} at {value}", self.set("claims", i, "budget", value)
            for op in {"<", "<=", ">", ">="} - {claim["op"]}:
                yield f"{claim['id']} with {op}", self.set("claims", i, "op", op)
            yield f"{claim['id']} renamed", self.set("claims", i, "id", claim["id"] + "x")

    def files(self):
        for i, file in enumerate(self.certificate["files"]):
            text = file["text"]
            for at in (0, len(text) // 2, len(text) - 1):
                yield f"character {at} of a file", self.set("files", i, "text", text[:at] + ("x" if text[at] != "x" else "y") + text[at + 1:])
            yield "more of a file", self.set("files", i, "text", text + " ")
            yield "less of a file", self.set("files", i, "text", text[:-1])

    def removed(self):
        for path in sorted({path[:length] for path in fields(self.certificate) for length in range(1, len(path) + 1)}, key=str):
            if isinstance(path[-1], str):
                yield f"without {path}", lambda path=path: without(self.certificate, path)


def bound_of(entry):
    return worth(entry["bound"] if "bound" in entry else entry["value"])


KINDS = ("bounds", "values", "dropped", "rewired", "lemmas", "facts_changed", "places", "quotes", "claims_changed", "claims_listed", "files", "removed")
