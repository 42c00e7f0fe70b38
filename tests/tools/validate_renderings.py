"""Judges the renderings of a report with other people's validators: the schemas in the folder that TIKC_STANDARDS
names, xmllint, and readers of the formats written here from their documents.

Usage: validate_renderings.py COMMAND [WORD…], which prints a form when its name is added
"""

import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
SKIPPED = 77
command = sys.argv[1:]
standards = os.environ.get("TIKC_STANDARDS")
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED:", what)


def rendered(form):
    ran = subprocess.run([*command, form], stdout=subprocess.PIPE)
    assert ran.returncode in (0, 1), ran
    return ran.stdout


def check_json():
    document = json.loads(rendered("json").decode("utf-8"))
    check(list(document) == ["version", "tool", "summary", "claims", "diagnostics"], "json: keys in their order")
    summary = document["summary"]
    by_severity = [sum(d["severity"] == s for d in document["diagnostics"]) for s in ("error", "warning", "note")]
    check(by_severity == [summary["errors"], summary["warnings"], summary["notes"]], "json: the summary counts right")
    for d in document["diagnostics"]:
        check(re.fullmatch(r"TK\d{4}", d["code"]), "json: a code")
        check(d["range"]["start"]["offset"] <= d["range"]["end"]["offset"], "json: a range runs forward")
    return document


def valid(schema, document, what):
    import jsonschema

    cls = jsonschema.validators.validator_for(schema)
    cls.check_schema(schema)
    errors = list(cls(schema, format_checker=jsonschema.FormatChecker()).iter_errors(document))
    for error in errors[:5]:
        print(what, list(error.absolute_path), error.message[:200])
    return not errors


def check_sarif(everything):
    schema = json.loads(Path(standards, "sarif-schema-2.1.0.json").read_text())
    document = json.loads(rendered("sarif").decode("utf-8"))
    check(valid(schema, document, "sarif"), "sarif: valid against the OASIS schema")
    broken = copy.deepcopy(document)
    broken["runs"][0]["results"][0]["level"] = "fatal"
    check(not valid(schema, broken, "sarif, broken on purpose"), "sarif: the validator can say no")

    check(document["$schema"].startswith("https://") and document["version"] == "2.1.0", "sarif: schema and version")
    (run,) = document["runs"]
    rules = run["tool"]["driver"]["rules"]
    check(run["columnKind"] == "unicodeCodePoints", "sarif: columnKind")
    check(len({r["id"] for r in rules}) == len(rules), "sarif: each rule once")
    for rule in rules:
        for path in (("shortDescription", "text"), ("fullDescription", "text"), ("help", "text"), ("help", "markdown")):
            check(rule[path[0]][path[1]].strip(), f"sarif: {rule['id']} {path}")
        check(rule["defaultConfiguration"]["level"] in ("error", "warning", "note"), "sarif: default level")
    check(len(run["results"]) == len(everything["diagnostics"]), "sarif: every finding")
    fingerprints = set()
    for result, plain in zip(run["results"], everything["diagnostics"]):
        check(rules[result["ruleIndex"]]["id"] == result["ruleId"] == plain["code"], "sarif: rule and index agree")
        check(result["level"] == plain["severity"], "sarif: level")
        where = result["locations"][0]["physicalLocation"]
        start, end = plain["range"]["start"], plain["range"]["end"]
        check(
            where["region"]
            == {"startLine": start["line"], "startColumn": start["column"], "endLine": end["line"], "endColumn": end["column"]},
            "sarif: the full region",
        )
        uri = where["artifactLocation"]
        check(uri["uriBaseId"] in run["originalUriBaseIds"], "sarif: uriBaseId is declared")
        check(re.fullmatch(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=@/]|%[0-9A-F]{2})+", uri["uri"]), "sarif: a relative URI")
        path = urllib.parse.unquote_to_bytes(uri["uri"]).decode("utf-8", "replace")
        check(path == os.path.normpath(plain["file"]), f"sarif: the URI is the file: {path!r}")
        check(run["artifacts"][uri["index"]]["location"]["uri"] == uri["uri"], "sarif: artifact index")
        fingerprints.add(result["partialFingerprints"]["primaryLocationLineHash"])
        text = result["message"]["text"]
        links = re.findall(r"(?<!\\)\[((?:[^\\\]\[]|\\.)*)\]\((\d+)\)", text)
        unescape = lambda t: re.sub(r"\\([\[\]\\])", r"\1", t)
        check(
            [(unescape(t), int(n)) for t, n in links]
            == [(r["message"], i + 1) for i, r in enumerate(plain["related"])],
            "sarif: the message links each related place and nothing else",
        )
        check([r["id"] for r in result.get("relatedLocations", [])] == [int(n) for _, n in links], "sarif: related ids")
    check(len(fingerprints) == len(run["results"]), "sarif: fingerprints differ")


def rdjson_schema():
    return json.loads(Path(standards, "rdf", "DiagnosticResult.json").read_text())


def check_rdjson(everything):
    schema = rdjson_schema()
    document = json.loads(rendered("rdjson").decode("utf-8"))
    check(valid(schema, document, "rdjson"), "rdjson: valid against reviewdog's schema")
    broken = copy.deepcopy(document)
    broken["diagnostics"][0]["severity"] = "FATAL"
    check(not valid(schema, broken, "rdjson, broken on purpose"), "rdjson: the validator can say no")
    suggestions = 0
    for rd, plain in zip(document["diagnostics"], everything["diagnostics"]):
        in_one_file = [f for f in plain["fixes"] if {e["file"] for e in f["edits"]} == {plain["file"]}]
        check(len(rd["suggestions"]) == len(in_one_file), "rdjson: a suggestion for each fix of one file")
        suggestions += len(rd["suggestions"])
    check(suggestions >= 3, "rdjson: suggestions there are")


def check_gitlab(everything):
    document = json.loads(rendered("gitlab").decode("utf-8"))
    check(len(document) == len(everything["diagnostics"]), "gitlab: every finding")
    check(len({d["fingerprint"] for d in document}) == len(document), "gitlab: unique fingerprints")
    for d in document:
        check(d["severity"] in ("info", "minor", "major", "critical", "blocker"), "gitlab: severity")
        check(d["description"] and d["check_name"], "gitlab: description and name")
        check(not d["location"]["path"].startswith("./"), "gitlab: path from the root")
        check(1 <= d["location"]["lines"]["begin"] <= d["location"]["lines"]["end"], "gitlab: lines")


def github_annotations(text):
    """As the runner's ActionCommand parses: split on LF or CR, `::name k=v,k=v::data`, then unescape."""

    def unescape(value, pairs):
        for code, char in pairs:
            value = value.replace(code, char)
        return value

    data_pairs = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")]
    property_pairs = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")]
    for line in re.split(r"[\r\n]+", text.strip("\n")):
        match = re.fullmatch(r"::(error|warning|notice) (.*?)::(.*)", line)
        if not match:
            yield None
            continue
        properties = dict(p.split("=", 1) for p in match[2].split(","))
        yield match[1], {k: unescape(v, property_pairs) for k, v in properties.items()}, unescape(match[3], data_pairs)


def check_github(everything):
    annotations = list(github_annotations(rendered("github").decode("utf-8", "replace")))
    check(len(annotations) == len(everything["diagnostics"]), "github: a line for each finding")
    for annotation, plain in zip(annotations, everything["diagnostics"]):
        if annotation is None:
            check(False, "github: a line that the runner does not parse")
            continue
        level, properties, data = annotation
        check(level == {"note": "notice"}.get(plain["severity"], plain["severity"]), "github: level")
        check(properties["file"] == os.path.normpath(plain["file"]), f"github: file {properties['file']!r}")
        start, end = plain["range"]["start"], plain["range"]["end"]
        check((int(properties["line"]), int(properties["endLine"])) == (start["line"], end["line"]), "github: lines")
        if start["line"] == end["line"]:
            check((int(properties["col"]), int(properties["endColumn"])) == (start["column"], end["column"]), "github: columns")
        else:
            check("col" not in properties and "endColumn" not in properties, "github: no columns over several lines")
        check(plain["code"] in properties["title"], "github: title")
        check(data.startswith(plain["message"]) and plain["label"] in data, "github: message and label come through")


def check_junit(everything):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "junit.xml")
        report.write_bytes(rendered("junit"))
        lint = ["xmllint", "--noout", "--nonet", "--schema", str(Path(standards, "JUnit.xsd"))]
        ran = subprocess.run([*lint, str(report)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check(ran.returncode == 0, "junit: valid against JUnit.xsd: " + ran.stdout)
        report.write_bytes(rendered("junit").replace(b'hostname="localhost"', b"", 1))
        ran = subprocess.run([*lint, str(report)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check(ran.returncode != 0, "junit: the validator can say no")

    import xml.etree.ElementTree as tree

    suites = tree.fromstring(rendered("junit")).findall("testsuite")
    check(len(suites) == everything["summary"]["files"], "junit: a suite for each file")
    check(sum(int(s.get("failures")) for s in suites) == everything["summary"]["errors"], "junit: a failure for each error")
    for suite in suites:
        cases = suite.findall("testcase")
        check(int(suite.get("tests")) == len(cases) >= 1, "junit: tests are counted")
        check(int(suite.get("failures")) == len(suite.findall("testcase/failure")), "junit: failures are counted")
    check([s.get("failures") for s in suites if s.get("name") == "clean.tikc.yaml"] == ["0"], "junit: the clean file passes")


if not standards:
    print("skipped: TIKC_STANDARDS does not name a folder with the schemas of SARIF, JUnit and rdjson")
    sys.exit(SKIPPED)
if not shutil.which("xmllint"):
    print("skipped: xmllint is not installed")
    sys.exit(SKIPPED)
plain = check_json()
check_sarif(plain)
check_rdjson(plain)
check_gitlab(plain)
check_github(plain)
check_junit(plain)
print(f"{len(failures)} failures" if failures else "every form passes")
sys.exit(1 if failures else 0)
