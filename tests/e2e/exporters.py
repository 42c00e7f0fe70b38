"""What exporters print of generated checkers, read by others: promtool, the Prometheus client's OpenMetrics parser, Python's JSON."""

import json
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import emit  # noqa: E402
import every_metric  # noqa: E402
from compilers import GCC, PORTABLE, in_parallel  # noqa: E402
from engine_loop import built, lender_object, loop_object  # noqa: E402
from harness import PATIENCE, ROOT, Case, main  # noqa: E402

FLAGS = ["-O0", PORTABLE]
PEERS = Path(os.environ.get("TIKC_PEERS") or ROOT / "build/peers")
PROMTOOL = shutil.which("promtool") or shutil.which(PEERS / "prometheus/usr/bin/promtool")
try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics_families
    from prometheus_client.parser import text_string_to_metric_families as prometheus_families
except ModuleNotFoundError:
    openmetrics_families = prometheus_families = None


def key_of(sample):
    return sample.name, tuple(sorted(sample.labels.items()))


class Exporters(Case):
    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        hostile = emit.Injection("contract").contract()
        texts = {"every": every_metric.contract(), "hostile": hostile}
        for name in ("qwen3-8b-rl", "three-kernel-chain"):
            texts[name] = (ROOT / f"examples/{name}.tikc.yaml").read_text()
        lender = lender_object(cls.scratch, flags=FLAGS)
        cls.texts = dict(zip(texts, in_parallel(cls.exported, [(name, text, lender) for name, text in texts.items()])))

    @classmethod
    def exported(cls, name, text, lender):
        """The Prometheus text, the JSON and the OpenMetrics text."""
        folder = cls.scratch / name
        folder.mkdir()
        (folder / f"{name}.tikc.yaml").write_text(text)
        built(GCC, loop_object(folder / f"{name}.tikc.yaml", folder, flags=FLAGS), lender, "-o", folder / "program")
        done = subprocess.run([folder / "program", "print"], capture_output=True, check=True, timeout=PATIENCE)
        # No line of metrics begins with a brace.
        return re.fullmatch(r"(.*\n)(\{[^\n]*\n)(.*)", done.stdout.decode("utf-8"), re.S).groups()

    def families(self, name):
        if openmetrics_families is None:
            self.skipTest("no python3-prometheus-client here")
        prometheus, _, openmetrics = self.texts[name]
        return list(prometheus_families(prometheus)), list(openmetrics_families(openmetrics))

    def test_promtool_has_no_complaint(self):
        if not PROMTOOL:
            self.skipTest("no promtool here")
        for name, (prometheus, *_) in self.texts.items():
            done = subprocess.run([PROMTOOL, "check", "metrics"], input=prometheus, capture_output=True, text=True, timeout=PATIENCE)
            with self.subTest(contract=name):
                self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        broken = subprocess.run([PROMTOOL, "check", "metrics"], input="# TYPE a_total gauge\na_total 1\n", capture_output=True, text=True, timeout=PATIENCE)
        self.assertNotEqual(broken.returncode, 0)

    def test_openmetrics_is_read_by_the_strict_parser(self):
        for name in self.texts:
            _, families = self.families(name)
            with self.subTest(contract=name):
                self.assertGreater(len(families), 8)
                self.assertIn("counter", {family.type for family in families})

    def test_both_formats_say_the_same(self):
        for name in self.texts:
            prometheus, openmetrics = ({key_of(sample): sample.value for family in families for sample in family.samples} for families in self.families(name))
            with self.subTest(contract=name):
                self.assertLessEqual(openmetrics.keys(), prometheus.keys())
                # Sums of what may be negative are not OpenMetrics, nor is a count without its sum.
                self.assertEqual([key for key in prometheus.keys() - openmetrics.keys() if not key[0].endswith(("_sum", "_count"))], [])
                for key, value in openmetrics.items():
                    self.assertTrue(value == prometheus[key] or math.isnan(value) and math.isnan(prometheus[key]), key)

    def test_buckets_grow_up_to_the_count(self):
        for name in self.texts:
            for family in self.families(name)[0]:
                rows = {}
                for sample in family.samples:
                    if sample.name.endswith("_bucket"):
                        labels = {label: text for label, text in sample.labels.items() if label != "le"}
                        rows.setdefault(tuple(sorted(labels.items())), []).append((float(sample.labels["le"]), sample.value))
                counts = {key_of(sample)[1]: sample.value for sample in family.samples if sample.name.endswith("_count")}
                for labels, row in rows.items():
                    with self.subTest(contract=name, family=family.name, labels=labels):
                        self.assertEqual(row, sorted(row))
                        self.assertEqual(len({edge for edge, _ in row}), len(row))
                        self.assertEqual([count for _, count in row], sorted(count for _, count in row))
                        self.assertEqual(row[-1], (math.inf, counts[labels]))

    def test_a_bucket_ends_just_at_each_bound(self):
        """Of requests whose latencies are known: 0.5, 0.75 and 0.25 seconds on each slice."""
        found = {}
        for family in self.families("every")[0]:
            if family.name == "tikc_latency_seconds":
                for sample in family.samples:
                    if sample.name.endswith("_bucket") and sample.labels["slice"] == "a":
                        found.setdefault(float(sample.labels["le"]), set()).add(sample.value)
        self.assertEqual(found, {math.nextafter(0.25, 0): {0}, 0.5: {2}, math.inf: {3}})

    def test_json_holds_the_verdicts_of_the_metrics(self):
        for name, (_, text, _) in self.texts.items():
            shown = json.loads(text, parse_constant=lambda constant: self.fail(f"{constant} is no JSON"))
            values = {}
            for family in self.families(name)[0]:
                for sample in family.samples:
                    if sample.name == f"{family.name}" and sample.name.endswith("_verdict"):
                        values[sample.labels["clause"], sample.labels["slice"]] = sample.value
            verdicts = {(clause["clause"], found["slice"]): ["undecided", "satisfied", "violated"].index(found["verdict"])
                        for clause in shown["clauses"] for found in clause["verdicts"]}
            with self.subTest(contract=name):
                self.assertTrue(values)
                self.assertEqual(values, verdicts)

    def test_hostile_texts_arrive_as_they_were(self):
        text = "".join(emit.HOSTILE)
        self.assertEqual(json.loads(self.texts["hostile"][1])["digest"], text)
        for families in self.families("hostile"):
            info = [sample for family in families for sample in family.samples if sample.name.endswith("_contract_info")]
            self.assertEqual([sample.labels["digest"] for sample in info], [text])


if __name__ == "__main__":
    main()
