"""A hook for TRL: `class Trainer(tikc.hooks.trl.Watched, GRPOTrainer): tikc_contract = "rollout.tikc.yaml"`.

It compares the trainer's log-probs of sampled tokens with vLLM's, which requires `use_vllm` and `vllm_importance_sampling_correction`. It also checks
advantages against the contract's assumptions. Dataset columns with the name of a label of the contract become that label. The hook does not change the
trainer's data.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from .._contract import Contract
from ._watch import Watch, attempted, harmless


class Watched:
    """A base class to list before the trainer. `tikc_contract` or TIKC_CONTRACT names the file; `tikc_options` are arguments of `Watch`."""

    tikc_contract: Any = None
    tikc_options: Mapping[str, Any] = {}
    tikc_watch: Optional[Watch] = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.tikc_watch = attempted("trl", self.tikc_contract, **self.tikc_options)

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        out = super()._generate_and_score_completions(inputs)  # type: ignore[misc]
        model: Any = getattr(self, "model", None)
        if self.tikc_watch is not None and getattr(model, "training", True):
            state: Any = getattr(self, "state", None)
            for name, value in self._tikc_look(self.tikc_watch, inputs, out, getattr(state, "global_step", None)).items():
                kept: Any = getattr(self, "_metrics")["train"]
                kept[name].append(value)
        return out

    @staticmethod
    @harmless(dict)
    def _tikc_look(watch: Watch, inputs: Any, batch: Mapping[str, Any], step: Optional[int]) -> Dict[str, float]:
        train, infer = batch.get("old_per_token_logps"), batch.get("sampling_per_token_logps")
        if train is None or infer is None:
            missing = "old_per_token_logps" if train is None else "sampling_per_token_logps"
            watch.tell(f"{missing} is missing from the batch: set use_vllm and vllm_importance_sampling_correction")
            return {}
        mask, tools = batch["completion_mask"], batch.get("tool_mask")
        return watch.step(train, infer, mask=mask if tools is None else mask * tools, labels=labels_of(watch.contract, inputs, len(train)),
                          advantages=batch.get("advantages"), step=step)


def labels_of(contract: Contract, inputs: Any, count: int) -> Dict[str, List[Any]]:
    """Return the columns that are fields of the contract and that all examples have."""
    if not isinstance(inputs, (list, tuple)) or len(inputs) != count or not all(isinstance(each, dict) for each in inputs):
        return {}
    columns = {field.name: [each.get(field.name) for each in inputs] for field in contract.fields}
    return {name: column for name, column in columns.items() if all(isinstance(each, (str, int, float)) for each in column)}
