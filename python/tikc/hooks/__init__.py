"""Monitors within trainers and servers of others, without a patch of theirs. Each module can be imported where its host is not installed.

What a host starts by itself takes its contract from the environment: TIKC_CONTRACT names the file, TIKC_STAGE the stage, TIKC_EVIDENCE a folder for
evidence, and TIKC_METRICS, as `verl`, whose figures are logged, too. Without TIKC_CONTRACT nothing happens.
"""

from __future__ import annotations

from ._watch import Watch

__all__ = ["Watch"]
