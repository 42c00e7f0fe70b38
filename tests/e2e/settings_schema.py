"""The JSON Schema of tikc.yaml and `tikc check` judge the same settings alike."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, ROOT, Case, main, skip  # noqa: E402

try:
    import jsonschema
except ImportError as missing:
    skip(missing)

SCHEMA = json.loads((ROOT / "schemas/tikc-settings.v1.schema.json").read_text())
VALUES = [None, True, False, 3, 1.5, "sub", "", "strict", "warning", [], ["a", "b/*"], ["a", 1], [None], {}, {"a": "b"}]
CASES = [
    None, [], "strict", {}, {"rot": "sub"}, {"x-own": 1}, {"profile": "strict", "exclude": ["a"], "force-exclude": True, "root": "sub"},
    *({"severities": {code: word}} for code in ("TK4002", "TK2001", "TK4999", "4002", "tk4002") for word in ("ignore", "note", "warning", "error", "off", "", 1, None)),
]


class SettingsSchema(Case):
    def test_it_and_tikc_agree(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        validator = jsonschema.Draft7Validator(SCHEMA)
        self.write("a.tikc.yaml", CLEAN)
        self.write("sub/a.tikc.yaml", CLEAN)
        counts = {True: 0, False: 0}
        for case in CASES + [{key: value} for key in SCHEMA["properties"] for value in VALUES]:
            # Which folders there are no schema can tell.
            if isinstance(case, dict) and case.get("root") in ("strict", "warning"):
                continue
            self.write("tikc.yaml", json.dumps(case) + "\n")  # which is YAML
            done = json.loads(self.tikc("check", "--format=json", "a.tikc.yaml").out)
            faults = [found["message"] for found in done["diagnostics"] if found["file"] == "tikc.yaml"]
            with self.subTest(case):
                self.assertEqual(validator.is_valid(case), not faults, faults)
            counts[not faults] += 1
        self.assertGreater(min(counts.values()), 10)

    def test_it_has_each_setting_and_each_code_that_can_be_set(self):
        rules = json.loads(self.expect(0, "rules", "--format=json").out)["rules"]
        severities = SCHEMA["properties"]["severities"]["properties"]
        self.assertEqual(list(severities), [rule["code"] for rule in rules if rule["settable"]])
        self.assertIn("`--force-exclude`", SCHEMA["properties"]["force-exclude"]["description"])
        self.assertTrue((ROOT / "tikc.yaml").read_text().startswith("# yaml-language-server: $schema=schemas/tikc-settings.v1.schema.json\n"))


if __name__ == "__main__":
    main()
