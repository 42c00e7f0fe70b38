"""Read and check kernel contracts, and check the numbers of a trainer and its server against them.

    contract = tikc.load("rollout.tikc.yaml")
    monitor = contract.monitor()
    monitor.tokens(old_log_probs, rollout_log_probs, mask=response_mask, labels={"task": tasks})
    window = monitor.tick()
"""

from __future__ import annotations

from ._contract import Contract, Field, load, loads
from ._diagnosis import Cause, Diagnosis, Sign
from ._document import Claim, Edit, Finding, Fix, Place, Related, Report, check, checks
from ._errors import BytesError, ContractError, EvidenceError, ForkError, ReadError, TikcError, Violation
from ._evidence import Evidence, Measurement, Origin, merge
from ._library import text as _text
from ._library import tikc as _tikc
from ._calls import Cost
from ._monitor import Monitor
from ._proofs import Certificate, Derivation, Exact, Explanation, Solution, Tolerance, explain, prove, solve
from ._response import Response
from ._window import Action, Assumption, Change, ClaimState, Figure, Offender, Verdict, Volume, Window

__version__: str = _text(_tikc.tikc_version())

__all__ = [
    "Action", "Assumption", "BytesError", "Cause", "Certificate", "Change", "Claim", "ClaimState", "Contract", "ContractError", "Cost", "Derivation",
    "Diagnosis", "Edit", "Evidence", "EvidenceError", "Exact", "Explanation", "Field", "Figure", "Finding", "Fix", "ForkError", "Measurement",
    "Monitor", "Offender", "Origin", "Place", "ReadError", "Related", "Report", "Response", "Sign", "Solution", "TikcError", "Tolerance", "Verdict",
    "Violation", "Volume", "Window", "check", "checks", "explain", "load", "loads", "merge", "prove", "solve",
]
