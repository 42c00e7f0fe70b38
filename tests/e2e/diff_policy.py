"""`tikc diff`: what a change to rules means is what the whole policy does then, on the sequence of verdicts that is told."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import MATH_AND_CODE, Diff, text  # noqa: E402
from harness import main  # noqa: E402

ROUTE = "drift: { when: violated(a) for 2 windows, do: 'route(safe, probe=1%)', until: satisfied(a) for 6 windows }"
STALE = "stale: { when: undecided(b) for 6 windows, do: hold, until: satisfied(b) }"
TELL = 'tell: { when: violated(any), do: alert("us"), until: satisfied(any) }'
STEPS = "steps: { when: violated(b) for 2 windows, steps: [{ for: 2 windows, do: 'correct(tis, 2)' }, { for: 4 windows, do: quarantine }], until: satisfied(b) for 3 windows }"
CANARY = "promotion:\n  canary: { traffic: 5%, window: 10 min, tokens: 5_000_000 tokens, lasts: 12 h }\n"


def policy(*rules, slices="", stages="", clauses=("a: max(k3) <= 0.1 over 10 min", "b: max(k2) <= 0.1")):
    body = text(list(clauses), slices)
    body = body[: body.index("escalation:")] + "escalation:\n" + "".join(f"  {rule}\n" for rule in rules) + stages
    return body.replace("pair:", "  safe: { engine: vllm, weights: bf16 }\npair:", 1)


class Policies(Diff):
    def rows(self, old, new):
        """What is told of rules, and why."""
        found = self.changes(old, new)
        return {row["name"]: (row["kind"], row.get("why", "")) for row in found["changes"] if row["part"] == "rule"}, found["effect"]

    def hold(self, old, new, name, kind, why=""):
        with self.subTest(name=name, kind=kind, why=why):
            rows, effect = self.rows(old, new)
            self.assertEqual(rows[name][0], kind, rows)
            self.assertIn(why, rows[name][1])
            self.assertEqual(effect == "looser", kind in ("looser", "may be looser", "removed"))

    def test_rules_that_take_the_traffic(self):
        old = policy(ROUTE, STALE, TELL)
        bad = "bad: { when: violated(b), do: quarantine, until: satisfied(b) }"
        self.hold(old, policy(ROUTE, STALE, TELL, bad), "bad", "looser",
                  "after { a: violated*2, b: satisfied violated }: route(safe, probe=1%) of `drift`, and now quarantine of `bad`; more is done after { b: violated }: ")
        self.hold(old, old.replace("do: 'route(safe, probe=1%)'", "do: ['route(safe, probe=1%)', hold]"), "drift", "looser",
                  "after { a: violated*2 }: route(safe, probe=1%) of `drift`, and now hold of `drift`")
        self.hold(old, old.replace("undecided(b) for 6", "undecided(b) for 3"), "stale", "looser",
                  "route(safe, probe=1%) of `drift`, and now hold of `stale`")
        # With no route there is nothing that a hold could take.
        old = policy(STALE, TELL)
        self.hold(old, old.replace("undecided(b) for 6", "undecided(b) for 3"), "stale", "tighter", "after { b: undecided*3 }: nothing, and now hold of `stale`")
        self.hold(old, policy(STALE, TELL, bad), "bad", "added")
        # One that is left behind has nothing left to lose.
        both = policy(STALE, TELL, "again: { when: undecided(b) for 8 windows, do: hold, until: satisfied(b) }")
        self.hold(both, policy(STALE, TELL), "again", "removed, implied")
        self.hold(policy(STALE, TELL), policy(STALE), "tell", "removed", 'after { a: violated }: alert("us") of `tell`, and now nothing')

    def test_times(self):
        old = policy(ROUTE, STEPS, TELL)
        for was, now, name, kind, why in [
            ("satisfied(a) for 6", "satisfied(a) for 3", "drift", "looser", "after { a: violated*2 satisfied*3 }: route(safe, probe=1%) of `drift`, and now nothing"),
            ("satisfied(a) for 6", "satisfied(a) for 9", "drift", "tighter", "after { a: violated*2 satisfied*6 }: nothing, and now route(safe, probe=1%) of `drift`"),
            ("violated(a) for 2 windows", "violated(a)", "drift", "tighter", "after { a: violated }: "),
            ("violated(a) for 2 windows", "violated(a) for 3 windows", "drift", "looser", "after { a: violated*2 }: "),
            ("until: satisfied(a) for 6 windows", "until: violated(a)", "drift", "looser", "after { a: violated*3 }: "),
            ("probe=1%", "probe=5%", "drift", "looser", "route(safe, probe=1%) of `drift`, and now route(safe, probe=5%) of `drift`"),
            ("probe=1%", "probe=0.5%", "drift", "tighter", ""),
            ("for: 2 windows, do: 'c", "for: 3 windows, do: 'c", "steps", "looser", "quarantine of `steps`, and now correct(tis, 2) of `steps`"),
            # The quarantine comes sooner, and the route of the other rule is less often what is done.
            ("for: 2 windows, do: 'c", "for: 1 windows, do: 'c", "steps", "looser", "route(safe, probe=1%) of `drift`, and now quarantine of `steps`"),
            ("satisfied(b) for 3", "satisfied(b) for 4", "steps", "looser", "route(safe, probe=1%) of `drift`, and now quarantine of `steps`"),
        ]:
            self.assertIn(was, old)
            self.hold(old, old.replace(was, now), name, kind, why)
        alone = policy(STEPS, TELL)
        self.hold(alone, alone.replace("satisfied(b) for 3", "satisfied(b) for 4"), "steps", "tighter")
        self.hold(alone, alone.replace("for: 2 windows, do: 'c", "for: 1 windows, do: 'c"), "steps", "tighter")
        self.hold(alone, alone.replace("quarantine }", "hold }"), "steps", "may be looser", "quarantine of `steps`, and now hold of `steps`")

    def test_slices(self):
        old = policy(ROUTE, TELL, slices=MATH_AND_CODE)
        self.hold(old, old.replace("for 6 windows }", "for 6 windows, slices: [math, other] }"), "drift", "looser",
                  "on `code` after { a: violated*2 }: route(safe, probe=1%) of `drift`, and now nothing")
        # Of a slice that is split each part has to be watched.
        watched = old.replace("for 6 windows }", "for 6 windows, slices: [code] }")
        part = '  short: { when: task == "code" and prompt_tokens < 100 }\n  code: {'
        self.hold(watched, watched.replace("  code: {", part), "drift", "looser", "on `short` after")
        whole = watched.replace("  code: {", part).replace("slices: [code]", "slices: [code, short]")
        _, effect = self.rows(watched, whole)
        self.assertNotEqual(effect, "looser")
        # A slice without requests is watched by nobody.
        weighed = old.replace('"math" }', '"math", weight: 40% }')
        self.hold(weighed, weighed.replace("40%", "0%"), "drift", "looser", "on `math` after")

    def test_clauses_that_are_new(self):
        old = policy(ROUTE, STALE.replace("(b)", "(any)"), TELL)
        rows, effect = self.rows(old, old.replace("  b: max", "  c: max(abs(logprob_gap)) <= 3\n  b: max"))
        self.assertEqual((rows["stale"][0], effect), ("looser", "looser"))
        self.assertRegex(rows["stale"][1], r"c: satisfied\*5 undecided.*route\(safe, probe=1%\) of `drift`, and now hold of `stale`")
        old = policy(STALE.replace("(b)", "(any)"), TELL)
        self.assertEqual(self.rows(old, old.replace("  b: max", "  c: max(abs(logprob_gap)) <= 3\n  b: max")), ({}, "tighter"))

    def test_windows(self):
        old = policy(ROUTE, TELL, stages=CANARY)
        self.hold(old, old.replace("over 10 min", "over 1 h"), "drift", "may be looser", "it counts windows of `a`, which are longer: it reacts later")
        self.hold(old, old.replace("over 10 min", "over 5 min"), "drift", "may be looser", "it counts windows of `a`, which are shorter: it ends sooner")
        once = policy(TELL)
        self.assertEqual(self.rows(once, once.replace("over 10 min", "over 1 h")), ({}, "changed"))
        for was, now, name, kind, why in [
            ("window: 10 min", "window: 20 min", "canary.window", "may be looser", "rule `drift` counts them: it reacts later"),
            ("window: 10 min", "window: 5 min", "canary.window", "may be looser", "rule `drift` counts them: it ends, or goes on, sooner"),
            ("traffic: 5%", "traffic: 50%", "canary.traffic", "looser", "more of the traffic is served by what has not passed it"),
        ]:
            with self.subTest(now=now):
                (row,) = self.changes(old, old.replace(was, now))["changes"]
                self.assertEqual((row["name"], row["kind"], row["why"]), (name, kind, why))

    def test_clauses_that_are_tighter(self):
        odd = "odd: { when: satisfied(b) for 2 windows, do: hold, until: violated(a) }"
        old = policy(ROUTE, TELL, odd)
        self.hold(old, old.replace("max(k2) <= 0.1", "max(k2) <= 0.05"), "odd", "may be looser", "`b` is satisfied less often than it was: it may react later")
        self.hold(old, old.replace("max(k3) <= 0.1", "max(k3) <= 0.05"), "odd", "may be looser", "`a` is violated more often than it was: it may end sooner")
        usual = policy(ROUTE, TELL, STALE)
        self.assertEqual(self.rows(usual, usual.replace("max(k3) <= 0.1", "max(k3) <= 0.05")), ({}, "tighter"))

    def test_what_rules_rest_on(self):
        old = policy(ROUTE, TELL, slices=MATH_AND_CODE.replace('"math" }', '"math", weight: 40% }'))
        for was, now, name, kind, why in [
            ("safe: { engine: vllm, weights: bf16 }", "safe: { engine: vllm, weights: int4 }", "safe.weights", "may be looser",
             "rule `drift` sends traffic to it, and no clause says what it may be"),
            ("safe: { engine: vllm,", "safe: { engine: sglang,", "safe.engine", "described anew", ""),
            ("weight: 40%", "weight: 0%", "math.weight", "looser", "without a share of the requests"),
            ("weight: 40%", "weight: 30%", "math.weight", "described anew", ""),
            ("[math, code, chat]", "[math, code, chat, law]", "task", "described anew", "requests of `law` are in the slice whose condition takes them"),
            ("[math, code, chat]", "[math, code]", "task", "described anew", "nothing is promised of requests of `chat` but what is of `other`"),
        ]:
            with self.subTest(now=now):
                self.assertIn(was, old)
                row = self.changes(old, old.replace(was, now))["changes"][0]
                self.assertEqual((row["name"], row["kind"]), (name, kind))
                self.assertIn(why, row.get("why", ""))

    def test_sequences_that_are_told_are_so(self):
        """What is told of a course of verdicts is what `tikc test` says of both editions."""
        old = policy(ROUTE, STALE, STEPS, TELL)
        for was, now in [("undecided(b) for 6", "undecided(b) for 3"), ("satisfied(a) for 6", "satisfied(a) for 3"), ("for: 2 windows, do: 'c", "for: 3 windows, do: 'c"),
                         ("do: 'route(safe, probe=1%)'", "do: ['route(safe, probe=1%)', hold]")]:
            new = old.replace(was, now)
            rows, _ = self.rows(old, new)
            for kind, why in rows.values():
                found = re.match(r"after (\{.*?\}): (.*?) of `\w+`, and now (.*?)(?: of `\w+`)?(?:;|$)", why)
                self.assertTrue(found, (kind, why))
                verdicts, before, after = found.groups()
                for name, body, traffic in [("old", old, before), ("new", new, after)]:
                    with self.subTest(now=now, edition=name):
                        ticks = max(sum(int(n or 1) for n in re.findall(r"[a-z]+(?:\*(\d+))?", row)) for row in re.findall(r": ([^,}]+)", verdicts))
                        self.write(f"{name}.tikc.yaml", body)
                        said = "usual" if traffic == "nothing" else traffic
                        self.write(f"{name}.tikc-test.yaml", f"contract: {name}.tikc.yaml\ntests:\n  told:\n    verdicts: {verdicts}\n    expect:\n"
                                                             f"      - {{ at: {ticks}, traffic: '{said}' }}\n")
                        done = self.tikc("test", f"{name}.tikc-test.yaml")
                        self.assertEqual(done.returncode, 0, done.out + done.err)

    def test_kernels_that_exchange_their_names(self):
        old = policy(ROUTE, TELL).replace("  safe: { engine: vllm, weights: bf16 }", "  safe: { engine: vllm, weights: fp16 }")
        new = old.replace("rollout", "#").replace("safe", "rollout").replace("#", "safe")
        found = self.changes(old, new)
        self.assertEqual({(row["name"], row["kind"]) for row in found["changes"]}, {("rollout", "renamed"), ("safe", "renamed")}, found)
        self.assertEqual(found["effect"], "same")
        # Where the rule goes on to the name it goes to another kernel.
        self.assertEqual(self.changes(old, new.replace("route(rollout", "route(trainer"))["effect"], "looser")

    def test_what_is_too_much_is_looser(self):
        clauses = [f"c{i}: max(k3) <= 0.{i + 1} over 10 min" for i in range(9)]
        rules = [f"r{i}: {{ when: violated(c{i}) for {5 + i} windows, do: {'hold' if i % 2 else 'quarantine'}, until: satisfied(c{i}) for {9 + i} windows }}" for i in range(9)]
        old = policy(*rules, clauses=clauses)
        new = old.replace(" for 9 windows }", " for 90 windows }").replace(" for 11 windows }", " for 89 windows }").replace("when: violated(c1) for 6", "when: violated(c1) for 60")
        rows, effect = self.rows(old, new)
        self.assertEqual(effect, "looser")
        self.assertEqual(rows["r1"][0], "looser", rows)


if __name__ == "__main__":
    main()
