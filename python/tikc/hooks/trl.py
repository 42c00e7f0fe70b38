"""TRL: `class Trainer(tikc.hooks.trl.Watched, GRPOTrainer): tikc_contract = "rollout.tikc.yaml"`.

Holds the trainer's log-probs of what was sampled against vLLM's, which TRL has where it corrects for them (`use_vllm`, and
`vllm_importance_sampling_correction`), and its advantages against what the contract takes as given. Columns of the data set that are called as a label
of the contract are that label. Nothing that the trainer goes on with is changed.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from .._contract import Contract
from ._watch import Watch, attempted, harmless


class Watched:
    """Comes before the trainer among the bases. `tikc_contract` names the file, else TIKC_CONTRACT does; `tikc_options` are those of `Watch`."""

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
            watch.tell(f"the batch has no {missing}: set use_vllm and vllm_importance_sampling_correction")
            return {}
        mask, tools = batch["completion_mask"], batch.get("tool_mask")
        return watch.step(train, infer, mask=mask if tools is None else mask * tools, labels=labels_of(watch.contract, inputs, len(train)),
                          advantages=batch.get("advantages"), step=step)


def labels_of(contract: Contract, inputs: Any, count: int) -> Dict[str, List[Any]]:
    """A column each that the contract knows and all examples have."""
    if not isinstance(inputs, (list, tuple)) or len(inputs) != count or not all(isinstance(each, dict) for each in inputs):
        return {}
    columns = {field.name: [each.get(field.name) for each in inputs] for field in contract.fields}
    return {name: column for name, column in columns.items() if all(isinstance(each, (str, int, float)) for each in column)}
