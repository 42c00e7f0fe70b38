"""Kernel contracts in Python: read, checked, and held against what a trainer and its server compute.

    contract = tikc.load("rollout.tikc.yaml")
    monitor = contract.monitor()
    monitor.tokens(old_log_probs, rollout_log_probs, mask=response_mask, labels={"task": tasks})
    window = monitor.tick()
"""

from __future__ import annotations

from ._contract import Contract, Field, load, loads
from ._document import Claim, Edit, Finding, Fix, Place, Related, Report, check, checks
from ._errors import BytesError, ContractError, ForkError, ReadError, TikcError, Violation
from ._library import text as _text
from ._library import tikc as _tikc
from ._monitor import Monitor, Response
from ._window import Action, Assumption, Change, ClaimState, Figure, Offender, Verdict, Volume, Window

__version__: str = _text(_tikc.tikc_version())

__all__ = [
    "Action", "Assumption", "BytesError", "Change", "Claim", "ClaimState", "Contract", "ContractError", "Edit", "Field", "Figure", "Finding", "Fix",
    "ForkError", "Monitor", "Offender", "Place", "ReadError", "Related", "Report", "Response", "TikcError", "Verdict", "Violation", "Volume", "Window",
    "check", "checks", "load", "loads",
]
