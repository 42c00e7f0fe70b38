"""Derivations of claims, largest tolerances and certificates, from the JSON of the `tikc` program.

The program is in the wheel; TIKC_PROGRAM names another one.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from . import _tables
from ._errors import TikcError
from ._files import Named, write_whole

PROGRAM = Path(__file__).resolve().parent / "bin/tikc"


@dataclasses.dataclass(frozen=True)
class Exact:
    """An exact number, as a fraction or a logarithm, with its approximate decimal value."""

    exact: str
    decimal: float


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """The tolerance of a clause or the horizon: the `declared` value, and the `largest` one with which the claim follows.

    `largest` is None if no value will do, or if every value does; then `any` is true.
    """

    kind: str
    name: str
    text: str
    declared: Exact
    largest: Optional[Exact]
    any: bool


@dataclasses.dataclass(frozen=True)
class Derivation:
    """Why a claim follows on some slices, or what is `missing` for it. A contract without slices lists none.

    `follows` is the bound that was derived, or None. `steps` are plain values, as in the program's JSON.
    """

    claim: str
    text: str
    slices: Tuple[str, ...]
    verdict: str
    budget: Exact
    follows: Optional[Exact]
    missing: Tuple[Any, ...]
    tolerances: Tuple[Tolerance, ...]
    steps: Tuple[Dict[str, Any], ...] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Explanation:
    """The output of `tikc explain FILE --format=json`, as plain values in `told`."""

    told: Dict[str, Any]

    @property
    def claims(self) -> Tuple[Derivation, ...]:
        return tuple(_derivation(claim) for each in self.told["contracts"] for claim in each["claims"])

    @property
    def is_proved(self) -> bool:
        """Return whether there are claims and all are proved."""
        return bool(self.claims) and all(each.verdict == "proved" for each in self.claims)

    def _rows(self) -> List[Tuple[str, ...]]:
        return [(each.verdict, each.claim, ", ".join(each.slices), each.text, f"{each.follows.decimal:.4g}" if each.follows else "") for each in self.claims]

    def __repr__(self) -> str:
        return _tables.plain(HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html("Claims", HEAD, self._rows())


@dataclasses.dataclass(frozen=True)
class Solution:
    """The output of `tikc solve --format=json`: the tolerances with which a claim follows."""

    told: Dict[str, Any]

    @property
    def follows(self) -> bool:
        """Return whether the claim follows from the declared tolerances."""
        return bool(self.told["follows"])

    @property
    def largest(self) -> Tuple[Tolerance, ...]:
        return tuple(map(_tolerance, self.told["largest"]))

    def _rows(self) -> List[Tuple[str, ...]]:
        return [(each.name, each.text, "any" if each.any else f"{each.largest.decimal:.6g}" if each.largest else "none") for each in self.largest]

    def __repr__(self) -> str:
        return f"{self.told['claim']}: {self.told['text']}\n" + _tables.plain(SOLVED_HEAD, self._rows())

    def _repr_html_(self) -> str:
        return _tables.in_html(f"{self.told['claim']}: {self.told['text']}", SOLVED_HEAD, self._rows())


@dataclasses.dataclass(frozen=True)
class Certificate:
    """The output of `tikc prove`, to be saved unchanged for `tikc-verify`. It also exists if a claim is not proved."""

    content: bytes = dataclasses.field(repr=False)
    is_proved: bool

    @property
    def told(self) -> Dict[str, Any]:
        out: Dict[str, Any] = json.loads(self.content)
        return out

    def save(self, path: Named) -> None:
        """Save the certificate to a file. The write is atomic."""
        write_whole(path, self.content)


HEAD = ("verdict", "claim", "slices", "says", "follows")
SOLVED_HEAD = ("name", "says", "largest")


def explain(path: Named, *, claim: Optional[str] = None, slice: Optional[str] = None) -> Explanation:
    """Explain why the claims of a contract file follow. `claim` and `slice` select one."""
    return Explanation(json.loads(_told("explain", path, "--format=json", claim=claim, slice=slice)[1]))


def solve(path: Named, *, claim: Optional[str] = None, slice: Optional[str] = None, clause: Optional[str] = None) -> Solution:
    """Return the largest tolerance with which a claim follows, for each clause that it rests on or for `clause`."""
    return Solution(json.loads(_told("solve", path, "--format=json", claim=claim, slice=slice, **{"for": clause})[1]))


def prove(path: Named, *, contract: Optional[str] = None) -> Certificate:
    """Return the certificate of a contract's proofs."""
    status, content = _told("prove", path, contract=contract)
    return Certificate(content, status == 0)


def program() -> str:
    """Return the path of the program: TIKC_PROGRAM, or the one in the wheel. Raises TikcError if it is missing."""
    out = os.environ.get("TIKC_PROGRAM") or str(PROGRAM)
    if not os.access(out, os.X_OK):
        raise TikcError(f"program {out} not found: this installation has only the library; set TIKC_PROGRAM to the path of tikc")
    return out


def _told(command: str, path: Named, *words: str, **options: Optional[str]) -> Tuple[int, bytes]:
    named = os.fspath(path)
    # A bare name could be taken for an option or a code.
    named = named if os.sep in named else os.path.join(os.curdir, named)
    given = [f"--{name}={value}" for name, value in options.items() if value is not None]
    done = subprocess.run([program(), command, *words, *given, named], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise TikcError(done.stderr.decode("utf-8", "replace").strip() or f"tikc {command} failed with exit code {done.returncode}")
    return done.returncode, done.stdout


def _exact(of: Optional[Dict[str, Any]]) -> Optional[Exact]:
    return None if of is None else Exact(of["exact"], float(of["decimal"]))


def _tolerance(of: Dict[str, Any]) -> Tolerance:
    declared = of["declared"]
    return Tolerance(of["kind"], of["name"], of["text"], Exact(declared["exact"], float(declared["decimal"])), _exact(of.get("largest")), bool(of["any"]))


def _derivation(of: Dict[str, Any]) -> Derivation:
    follows = _exact(of["steps"][0]["bound"]) if of["steps"] else None
    budget = Exact(of["budget"]["exact"], float(of["budget"]["decimal"]))
    return Derivation(of["claim"], of["text"], tuple(of["slices"]), of["verdict"], budget, follows, tuple(of["missing"]),
                      tuple(map(_tolerance, of.get("tolerances", ()))), tuple(of["steps"]))
