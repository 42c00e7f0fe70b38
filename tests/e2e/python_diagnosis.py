"""What monitors say that responses are consistent with, held to `tikc diagnose` of the same responses."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main  # noqa: E402
from tikc_python import tikc  # noqa: E402

import fault_data  # noqa: E402
import numpy  # noqa: E402

CONTRACT = contract("watched", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n", "observability:\n  tokens: sample(logprobs, 100%)\n")


class Diagnosis(Case):
    def setUp(self):
        super().setUp()
        self.contract = tikc.loads(CONTRACT)

    @staticmethod
    def show(monitor, run):
        columns = {name: [numpy.array(each[name], kind) for each in run] for name, kind in (("train", numpy.float32), ("infer", numpy.float32), ("mask", numpy.uint8))}
        monitor.tokens(columns["train"], columns["infer"], mask=columns["mask"])

    def told(self, run):
        self.write("run.jsonl", fault_data.lines(run))
        return json.loads(self.expect(1, "diagnose", "--format=json", self.folder / "run.jsonl").out)

    def hold(self, diagnosis, told):
        plain = diagnosis.to_dict()
        self.assertEqual((plain["state"], plain["says"], plain["responses"], plain["tokens"]), tuple(told[name] for name in ("state", "says", "responses", "tokens")))
        for cause, wanted in zip(diagnosis.causes, told["causes"]):
            self.assertEqual((cause.cause, cause.state, cause.next), (wanted["cause"], wanted["state"], wanted["next"]))
            for figure in wanted["figures"]:
                self.assertAlmostEqual(cause.figures[figure["figure"]].value, figure["value"], 9)

    def test_a_window_says_what_tikc_diagnose_says(self):
        run = [{**each, "step": 0} for each in fault_data.run(70, {"temperature": {"at": 0.9}})]
        monitor = self.contract.monitor(diagnoses=True)
        self.show(monitor, run)
        window = monitor.tick()
        self.hold(window.diagnosis, self.told(run))
        self.assertEqual([cause.cause for cause in window.diagnosis], ["temperature"])
        self.assertIn("consistent with a temperature", repr(window.diagnosis))
        self.assertIn("<td>named</td>", window.diagnosis._repr_html_())
        again = tikc.Evidence.loads(bytes(window.evidence)).diagnosis
        self.assertEqual(again, window.diagnosis)

    def test_windows_join_and_each_begins_anew(self):
        run = fault_data.run(71, {"weights": {"strength": 0.2, "names": "step"}})
        monitor = self.contract.monitor(diagnoses=True, keeps_evidence=True)
        for step in sorted({each["step"] for each in run}):
            self.show(monitor, [each for each in run if each["step"] == step])
            monitor.end_step(step)
            last = monitor.tick()
        self.assertLess(last.diagnosis.responses, len(run) / 2)
        self.hold(monitor.evidence.diagnosis, self.told(run))
        self.assertIn("weights", [cause.cause for cause in monitor.evidence.diagnosis])

    def test_without_being_asked_for_there_are_no_signs(self):
        run = fault_data.run(72, {})
        for diagnoses in (False, True):
            monitor = self.contract.monitor(diagnoses=diagnoses)
            self.show(monitor, run)
            if diagnoses:
                monitor.take()  # which takes the signs away as well
            self.assertEqual((monitor.tick().diagnosis.state, len(monitor.tick().diagnosis)), ("undecided", 0))


if __name__ == "__main__":
    main()
