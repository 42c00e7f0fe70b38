"""Monitors for trainers and servers, which need no patch. Each module can be imported without its host.

Hooks that a host starts by itself are configured by environment variables. Without TIKC_CONTRACT they do nothing.

TIKC_CONTRACT: the contract file.
TIKC_STAGE: the stage of the promotion.
TIKC_EVIDENCE: a folder for evidence.
TIKC_METRICS: trainers whose metrics are logged as well, such as `verl`.
"""

from __future__ import annotations

from ._watch import Watch

__all__ = ["Watch"]
