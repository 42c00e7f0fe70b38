"""The results of a tick."""

from __future__ import annotations

import dataclasses
import math
from ctypes import byref, c_size_t, c_uint32
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from . import _c, _tables
from ._batches import Logged
from ._contract import Contract
from ._diagnosis import Diagnosis
from ._evidence import Evidence, failures, of_all
from ._library import Handle, Taken, must, text, tikc

VERDICTS = ("undecided", "satisfied", "violated", "unasked")
ACTIONS = ("as usual", "alert", "sample", "correct", "route", "quarantine", "hold", "rollback")
STATES = ("unwatched", "held", "broken")
CLAIM_STATES = ("shown", "not shown", "suspended", "withdrawn")
CHANGES = ("activated", "stepped", "released", "reset")
# An id's low bits hold the token, counted from 1; 0 means the observation as a whole.
TOKEN_BITS = 24
MOST_TOKENS = (1 << TOKEN_BITS) - 1
MOST_ID = (1 << (64 - TOKEN_BITS)) - 1


def packed(observation: int, token: Optional[int] = None) -> int:
    return observation << TOKEN_BITS | (0 if token is None else token + 1)


@dataclasses.dataclass(frozen=True)
class Offender:
    """An outlier: the id of the observation, and its token if the value is a token's."""

    value: float
    id: int
    token: Optional[int]


@dataclasses.dataclass(frozen=True)
class Figure:
    """The value of a check, in nats, seconds and tokens, with its interval [low, high]. Unknown numbers are NaN."""

    check: str
    verdict: str
    value: float
    low: float
    high: float
    observations: int
    kept: bool
    worst: Tuple[Offender, ...]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The verdict of a clause on a slice; `*` means all slices together. A `kept` verdict is that of an earlier window, because no new data came."""

    clause: str
    slice: str
    verdict: str
    kept: bool
    figures: Tuple[Figure, ...]

    def _named(self) -> Iterator[Tuple[str, Figure]]:
        for i, figure in enumerate(self.figures):
            yield f"tikc/{self.clause}/{self.slice}" + (f"/{i}" if i else ""), figure


@dataclasses.dataclass(frozen=True)
class Change:
    """A change of a rule on a slice. `clause` is the clause whose verdict caused it."""

    rule: str
    slice: str
    change: str
    step: int
    stage: Optional[str]
    clause: Optional[str]
    seen: str
    tick: int


@dataclasses.dataclass(frozen=True)
class Action:
    """An action of an active rule on a slice. `target` is the receiver, the input, the correction or the kernel.

    `first` and `second` are the numbers of the action: the rate, the cap, the probe, or 0 if there is none.
    """

    kind: str
    slice: str
    rule: Optional[str]
    target: str
    first: float
    second: float


@dataclasses.dataclass(frozen=True)
class Volume:
    """How often each input was observed, and how often it was served."""

    tokens: int = 0
    sequences: int = 0
    requests: int = 0
    rows: int = 0
    routes: int = 0
    batch_replays: int = 0
    request_replays: int = 0
    served_tokens: int = 0
    served_requests: int = 0

    def __add__(self, other: Volume) -> Volume:
        return Volume(*(getattr(self, each.name) + getattr(other, each.name) for each in dataclasses.fields(self)))


@dataclasses.dataclass(frozen=True)
class Assumption:
    """An assumption of the contract, and its state since the monitor was created: `held`, `broken`, or `unwatched` if no data came.

    `unknown` of the `observations` numbers are NaN. With 95% confidence at most the share `outside` of future values is out of the range, if values are
    drawn independently. `worst` lists the values that broke it.
    """

    key: str
    says: str
    state: str
    observations: int
    unknown: int
    least: float
    greatest: float
    outside: float
    worst: Tuple[Offender, ...]


@dataclasses.dataclass(frozen=True)
class ClaimState:
    """Whether the window shows a claim. `clauses` lists (clause, slice, verdict) for each clause of its proof, with `*` for all slices together.

    `state` is one of:

    - `shown`: every clause that the proof rests on is satisfied, and no assumption is broken.
    - `not shown`: one of these clauses is undecided, the contract does not prove the claim, or a `coherent` clause disproves its log-probs.
    - `suspended`: an assumption is broken.
    - `withdrawn`: one of these clauses is violated.
    """

    claim: str
    says: str
    state: str
    rests_on: Tuple[str, ...]
    broken: Tuple[str, ...]
    clauses: Tuple[Tuple[str, str, str], ...] = ()
    failed: int = 0  # observations that were not judged
    logs_are_disproved: bool = False

    @property
    def why(self) -> str:
        """The reason for the state, such as "tvs is violated on math"."""
        if self.state == "suspended":
            return f"{', '.join(self.broken)} {'is' if len(self.broken) == 1 else 'are'} broken"
        wanted = {"withdrawn": "violated", "not shown": "undecided"}.get(self.state)
        decisive = [f"{clause} is {verdict}" + ("" if slice == "*" else f" on {slice}") for clause, slice, verdict in self.clauses if verdict == wanted]
        if self.state == "not shown" and self.failed:
            decisive += failures(self.failed)
        if self.state == "not shown" and not decisive and self.logs_are_disproved and self.clauses:
            return "the log-probs are not those of the distribution that the tokens were sampled from"
        return ", ".join(decisive) or ("the contract does not prove it" if self.state == "not shown" else "")


def after_failures(claim: ClaimState, failed: int) -> ClaimState:
    """Return the claim, or `not shown` instead of `shown` if some observations failed."""
    return dataclasses.replace(claim, state="not shown", failed=failed) if failed and claim.state == "shown" else claim


@dataclasses.dataclass(frozen=True)
class Window:
    """The result of a tick: verdicts, changes and actions of rules, a decision for each slice, and what was observed since the previous tick.

    `evidence` holds those observations, for others to judge. `faults` counts observations that failed.
    """

    now: float
    verdicts: Tuple[Verdict, ...]
    changes: Tuple[Change, ...]
    actions: Tuple[Action, ...]
    decisions: Dict[str, Action]
    observed: Dict[str, Volume]
    unexpected: Tuple[str, ...]
    faults: int
    logged: Optional[Logged]
    evidence: Evidence = dataclasses.field(repr=False, compare=False)
    assumptions: Tuple[Assumption, ...] = ()
    claims: Tuple[ClaimState, ...] = ()

    def metrics(self, of: str = "tikc") -> Dict[str, float]:
        """Return numbers for a logger: the value of each check, as tikc/CLAUSE/SLICE, or for a trainer in `of` the metrics that it would log.

        Trainer metrics cover the observations since the previous tick. They require that the monitor was created with this trainer in `metrics`.
        Raises KeyError without it, and ValueError if some responses were not observed whole.
        """
        if of == "tikc":
            return {name: figure.value for each in self.verdicts for name, figure in each._named()}
        if self.logged is None:
            raise ValueError(f"{of} metrics are not available: some responses were not observed whole by this monitor")
        if of not in self.logged:
            raise KeyError(f"{of}: expected a trainer from the monitor's `metrics`, which has {', '.join(self.logged) or 'none'}")
        return dict(self.logged[of])

    def of(self, clause: str, slice: Optional[str] = None) -> Verdict:
        """Return the verdict of a clause. `slice` is required if the clause has several. Raises KeyError if none or several match."""
        found = [each for each in self.verdicts if each.clause == clause and slice in (None, each.slice)]
        if len(found) != 1:
            raise KeyError(f"{clause}: {'no such verdict' if not found else 'name one of the slices ' + ', '.join(each.slice for each in found)}")
        return found[0]

    @property
    def diagnosis(self) -> Diagnosis:
        """The faults that the responses of this window are consistent with. The monitor must be created with `diagnoses`.

        Faults that grow over steps take several windows; use `Monitor.evidence` for them.
        """
        return self.evidence.diagnosis

    def _that_are(self, verdict: str) -> Tuple[Verdict, ...]:
        return tuple(each for each in self.verdicts if each.verdict == verdict)

    @property
    def violated(self) -> Tuple[Verdict, ...]:
        return self._that_are("violated")

    @property
    def satisfied(self) -> Tuple[Verdict, ...]:
        return self._that_are("satisfied")

    @property
    def undecided(self) -> Tuple[Verdict, ...]:
        return self._that_are("undecided")

    @property
    def suspended(self) -> Tuple[ClaimState, ...]:
        """Claims that rest on a broken assumption."""
        return tuple(each for each in self.claims if each.state == "suspended")

    @property
    def verdict(self) -> str:
        """The overall verdict, the first of these that applies.

        `violated` if a clause is; `suspended` if a claim is; `undecided` if a clause is, if none was judged, or if an observation failed; else
        `satisfied`.
        """
        if self.violated:
            return "violated"
        if self.suspended:
            return "suspended"
        return of_all("undecided" if self.undecided or not self.satisfied else "satisfied", self.faults)

    def to_dict(self) -> Dict[str, Any]:
        """Return plain values for JSON. NaN becomes None, and infinities become texts."""
        out: Dict[str, Any] = _plain({name: _as_values(value) for name, value in vars(self).items() if name != "evidence"})
        return {"verdict": self.verdict, **out}

    def _violations(self) -> str:
        """The violated clauses, each with the values of its checks."""
        return ", ".join(f"{each.clause} ({each.slice}) " + ", ".join(f"is {of.value:.4g}, expected {of.check}" for of in each.figures)
                         for each in self.violated)

    def _rows(self) -> List[Tuple[str, ...]]:
        out: List[Tuple[str, ...]] = []
        for each in self.verdicts:
            for figure in each.figures:
                kept = " (kept)" if each.kept else ""
                out.append((each.verdict, each.clause, each.slice, _shown(figure.value) + kept, figure.check, str(figure.observations)))
        return out

    def _caption(self) -> str:
        does = [f"{each.kind} {each.target}".strip() + f" on {each.slice} ({each.rule})" for each in self.actions]
        claims = [f"{each.claim} is {each.state}: {each.why}" for each in self.claims if each.state != "shown"]
        return "; ".join([self.verdict, *does, *claims, *failures(self.faults)])

    def _given(self) -> List[Tuple[str, ...]]:
        return [(each.state, each.says, _shown(each.least), _shown(each.greatest), str(each.observations)) for each in self.assumptions]

    def __repr__(self) -> str:
        given = "\n\n" + _tables.plain(GIVEN_HEAD, self._given()) if self.assumptions else ""
        return self._caption() + "\n" + _tables.plain(HEAD, self._rows()) + given

    def _repr_html_(self) -> str:
        given = _tables.in_html("Assumptions", GIVEN_HEAD, self._given()) if self.assumptions else ""
        return _tables.in_html(self._caption(), HEAD, self._rows()) + given


GIVEN_HEAD = ("state", "assumption", "least", "greatest", "n")
HEAD = ("verdict", "clause", "slice", "value", "says", "n")


def _shown(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4g}"


def _as_values(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, dict):
        return {name: _as_values(each) for name, each in value.items()}
    return [_as_values(each) for each in value] if isinstance(value, (list, tuple)) else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value


def _offenders(of: Union[_c.Finding, _c.Watched]) -> Tuple[Offender, ...]:
    return tuple(Offender(each.value, each.id >> TOKEN_BITS, (each.id & MOST_TOKENS) - 1 if each.id & MOST_TOKENS else None)
                 for each in of.worst[: of.worst_count])


class Reading:
    """Reads the checker and the router of a contract after a tick."""

    def __init__(self, contract: Contract, checker: Handle, router: Handle) -> None:
        self._contract, self._checker, self._router = contract, checker, router

    def window(self, now: float, observed: Dict[str, Volume], faults: int, logged: Optional[Logged], evidence: Evidence) -> Window:
        slices = range(len(self._contract.slices))
        actions = tuple(action for i in slices for action in self._actions(i))
        decisions = {self._contract.slices[i]: self._decision(i) for i in slices}
        unexpected = tuple(self._contract.slices[i] for i in slices if self._ask("is_unexpected", i))
        assumptions = tuple(self._assumption(i, *each) for i, each in enumerate(self._contract.assumptions))
        logs = self._logs_are_disproved()
        claims = tuple(after_failures(self._claim(i, assumptions, logs, *each), faults) for i, each in enumerate(self._contract.claims))
        return Window(now, tuple(self._verdicts()), self._changes(), actions, decisions, observed, unexpected, faults, logged, evidence, assumptions, claims)

    def _assumption(self, i: int, key: str, says: str) -> Assumption:
        of = _c.Watched()
        must(tikc.tikc_checker_assumption(self._checker, i, byref(of)), "tikc_checker_assumption")
        return Assumption(key, says, STATES[of.state], of.count, of.unknown, of.least, of.greatest, of.outside, _offenders(of))

    def _claim(self, i: int, assumptions: Tuple[Assumption, ...], logs_are_disproved: bool, claim: str, says: str, rests_on: Tuple[int, ...],
               grounds: Tuple[Tuple[int, int], ...]) -> ClaimState:
        state = c_uint32()
        must(tikc.tikc_checker_claim(self._checker, i, byref(state)), "tikc_checker_claim")
        on = [assumptions[at] for at in rests_on]
        broken = tuple(each.says for each in on if each.state == "broken")
        return ClaimState(claim, says, CLAIM_STATES[state.value], tuple(each.says for each in on), broken, tuple(self._ground(*each) for each in grounds),
                          logs_are_disproved=logs_are_disproved)

    def _logs_are_disproved(self) -> bool:
        of = self._contract
        coherent = [i for i, checks in enumerate(of.clause_checks) if any(of.checks[check].startswith("coherent(") for check in checks)]
        return any(self._ask("verdict", i, slice) == VERDICTS.index("violated") for i in coherent for slice in range(len(of.slices)))

    def _ground(self, check: int, slice: int) -> Tuple[str, str, str]:
        """Return the clause of a check, the slice, and the verdict of the check on the slice."""
        of = self._contract
        clause = next(i for i, checks in enumerate(of.clause_checks) if check in checks)
        figure = self._figure(check, slice)
        asked = figure is not None and VERDICTS[self._ask("verdict", clause, slice) or 0] != "unasked"
        return of.clauses[clause], "*" if of.on_mixture[clause] else of.slices[slice], figure.verdict if figure is not None and asked else "unasked"

    def _ask(self, name: str, *at: int) -> Optional[int]:
        """Return None if the clause does not cover the slice."""
        out = c_uint32()
        status = getattr(tikc, f"tikc_checker_{name}")(self._checker, *at, byref(out))
        if status == _c.UNBOUND:
            return None
        must(status, f"tikc_checker_{name}")
        return out.value

    def _verdicts(self) -> List[Verdict]:
        out = []
        for clause, on_mixture in enumerate(self._contract.on_mixture):
            of_slices = [each for each in (self._verdict(clause, i) for i in range(len(self._contract.slices))) if each is not None]
            if on_mixture:
                # Its verdict is the same on all slices that it covers.
                asked = [each for each in of_slices if each.verdict != "unasked"] or of_slices
                out.append(dataclasses.replace(asked[0], slice="*"))
            else:
                out += of_slices
        return out

    def _verdict(self, clause: int, place: int) -> Optional[Verdict]:
        """Return None if the clause does not cover the slice."""
        verdict = self._ask("verdict", clause, place)
        if verdict is None:
            return None
        figures = tuple(each for each in (self._figure(check, place) for check in self._contract.clause_checks[clause]) if each is not None)
        return Verdict(self._contract.clauses[clause], self._contract.slices[place], VERDICTS[verdict], bool(self._ask("is_kept", clause, place)), figures)

    def _figure(self, check: int, place: int) -> Optional[Figure]:
        of = _c.Finding()
        status = tikc.tikc_checker_finding(self._checker, check, place, byref(of))
        if status == _c.UNBOUND:
            return None
        must(status, "tikc_checker_finding")
        return Figure(self._contract.checks[check], VERDICTS[of.verdict], of.value, of.low, of.high, of.observations, bool(of.is_kept), _offenders(of))

    def _changes(self) -> Tuple[Change, ...]:
        count = c_size_t()
        if tikc.tikc_router_transitions(self._router, None, 0, byref(count)) == _c.OK:
            return ()
        found = (_c.Transition * count.value)()
        must(tikc.tikc_router_transitions(self._router, found, count.value, byref(count)), "tikc_router_transitions")
        return tuple(map(self._change, found))

    def _change(self, of: _c.Transition) -> Change:
        contract = self._contract
        stage = contract.stages[of.stage] if of.stage < len(contract.stages) else None
        clause = contract.clauses[of.clause] if of.clause >= 0 else None
        return Change(contract.rules[of.rule], contract.slices[of.slice], CHANGES[of.change], of.step, stage, clause, VERDICTS[of.seen & 3], of.tick)

    def _action(self, of: _c.Action, place: int) -> Action:
        rule = self._contract.rules[of.rule] if of.kind != _c.AS_USUAL else None
        return Action(ACTIONS[of.kind], self._contract.slices[place], rule, text(of.text), of.first, of.second)

    def _actions(self, place: int) -> List[Action]:
        taken = Taken(_c.VISIT, lambda at, _: self._action(at.contents, place))
        must(tikc.tikc_router_visit(self._router, place, taken.callback, None), "tikc_router_visit")
        return taken.all()

    def _decision(self, place: int) -> Action:
        of = _c.Action()
        must(tikc.tikc_router_decide(self._router, place, byref(of)), "tikc_router_decide")
        return self._action(of, place)
