"""`tikc diff`: what a change to rules means is what the whole policy does then, on the sequence of verdicts that is told."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import LABELS, MATH, MATH_AND_CODE, Diff, text  # noqa: E402
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

    def test_the_first_of_two_that_act_alike_wins(self):
        probing = "near: { when: violated(a), do: 'route(safe, probe=1%)', until: satisfied(a) }"
        away = "away: { when: violated(b), do: route(safe) }"
        both = "after { a: violated, b: violated }: "
        self.hold(policy(probing, away, TELL), policy(away, probing, TELL), "near", "tighter", both + "route(safe, probe=1%) of `near`, and now route(safe) of `away`")
        self.hold(policy(away, probing, TELL), policy(probing, away, TELL), "away", "looser", both + "route(safe) of `away`, and now route(safe, probe=1%) of `near`")

    def test_a_rule_that_gains_beside_another(self):
        away = "away: { when: undecided(any), do: quarantine }"
        back = "back: { when: satisfied(any) for 2 windows, until: undecided(b), steps: [{ for: 2 windows, do: route(safe) }, { for: 2 windows, do: rollback }] }"
        self.hold(policy(away, back, TELL), policy(away, back.replace("undecided(b)", "undecided(b) for 3 windows"), TELL), "back", "tighter", "quarantine of `away`, and now rollback of `back`")

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

    def test_nothing_is_judged_where_the_old_policy_leaves_no_traffic(self):
        away = "away: { when: violated(a), do: rollback }"
        plain = ("a: max(k3) <= 0.1", "b: max(k2) <= 0.1")
        old = policy(away, TELL, clauses=plain)
        back = away.replace(" }", ", until: satisfied(a) for 2 windows }")
        self.hold(old, policy(back, TELL, clauses=plain), "away", "restated")
        # What is drawn from elsewhere is judged all the same, and undecided is what all else is.
        text = ("a: { require: max(k3) <= 0.1, drawn: text }", "b: max(k2) <= 0.1")
        self.hold(policy(away, TELL, clauses=text), policy(back, TELL, clauses=text), "away", "looser", "rollback of `away`, and now nothing")
        new = policy(back.replace("satisfied(a)", "satisfied(c)"), TELL, clauses=("a: max(k3) <= 0.1", "b: max(k2) <= 0.1", "c: { require: max(k1) <= 0.1, drawn: text }"))
        self.hold(old, new, "away", "looser", "rollback of `away`, and now nothing")
        self.hold(old, new.replace(", drawn: text", ""), "away", "restated")
        self.hold(old, policy(back.replace("satisfied(a)", "undecided(a)"), TELL, clauses=plain), "away", "looser", "after { a: violated undecided*2")
        # A hold goes before a route, and sends the traffic back.
        gone = ["away: { when: violated(a), do: route(safe) }", "wait: { when: undecided(b), do: hold, until: satisfied(b) for 2 windows }"]
        told = 'late: { when: violated(b), do: alert("us") }'
        self.hold(policy(gone[0], told), policy(gone[0], told.replace("(b)", "(b) for 3 windows")), "late", "looser", "after { b: violated }")
        self.hold(policy(*gone, told), policy(*gone, told.replace("violated(b)", "violated(b) and violated(a)")), "late", "looser")
        late = 'late: { when: violated(a) and violated(b) for 3 windows, do: alert("us") }'
        self.hold(policy("away: { when: violated(a), do: rollback }", late), policy("away: { when: violated(a), do: rollback }"), "late", "removed", "")

    def test_samples(self):
        old = policy(TELL, "look: { when: violated(a), do: 'sample(logits, 10%)', until: satisfied(a) }")
        self.hold(old, old.replace("10%", "5%"), "look", "looser", "sample(logits, 10%) of `look`, and now sample(logits, 5%) of `look`")
        self.hold(old, old.replace("10%", "50%"), "look", "tighter", "sample(logits, 10%) of `look`, and now sample(logits, 50%) of `look`")

    def test_slices(self):
        old = policy(ROUTE, TELL, slices=MATH_AND_CODE)
        self.hold(old, old.replace("for 6 windows }", "for 6 windows, slices: [math, other] }"), "drift", "looser",
                  "on `code` after { a: violated*2 }: route(safe, probe=1%) of `drift`, and now nothing")
        # Of a slice that is split each part has to be watched.
        watched = old.replace("for 6 windows }", "for 6 windows, slices: [code] }")
        part = '  short: { when: task == "code" and prompt_tokens < 100 }\n  code: {'
        self.hold(watched, watched.replace("  code: {", part), "drift", "looser", "on `short` after")
        whole = watched.replace("  code: {", part).replace("slices: [code]", "slices: [code, short]")
        self.hold(watched, whole, "drift", "may be looser", "`a` is judged on parts of its old requests, and none of them may be violated as often in a row")
        at_once = [each.replace("violated(a) for 2 windows", "violated(a)") for each in (watched, whole)]
        self.assertEqual(self.rows(*at_once)[1], "tighter")
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
        self.hold(old, old.replace("over 10 min", "over 1 h"), "drift", "may be looser", "`a` is judged over other windows than before: it may react later")
        self.hold(old, old.replace("over 10 min", "over 5 min"), "drift", "may be looser", "`a` is judged over other windows than before: it may react later")
        # Of a clause that no rule hears it is only when it is judged.
        deaf = policy(TELL.replace("(any)", "(b)"))
        self.assertEqual(self.rows(deaf, deaf.replace("over 10 min", "over 1 h")), ({}, "changed"))
        for was, now, name, kind, why in [
            # Where nothing is said any distance from accepted runs passes.
            ("lasts: 12 h", "lasts: 12 h, corridor: 50%", "canary.corridor", "tighter", ""),
            ("window: 10 min", "window: 20 min", "canary.window", "may be looser", "rule `drift` counts windows: it reacts later"),
            ("window: 10 min", "window: 5 min", "canary.window", "may be looser", "rule `drift` counts windows: it ends, or reaches its next step, sooner"),
            ("traffic: 5%", "traffic: 50%", "canary.traffic", "looser", "a kernel that has not passed it serves more of the traffic"),
        ]:
            with self.subTest(now=now):
                (row,) = self.changes(old, old.replace(was, now))["changes"]
                self.assertEqual((row["name"], row["kind"], row.get("why", "")), (name, kind, why))

    def test_clauses_that_are_tighter(self):
        odd = "odd: { when: satisfied(b) for 2 windows, do: hold, until: violated(a) }"
        old = policy(ROUTE, TELL, odd)
        self.hold(old, old.replace("max(k2) <= 0.1", "max(k2) <= 0.05"), "odd", "may be looser", "`b` is satisfied less often than before: it may react later")
        self.hold(old, old.replace("max(k3) <= 0.1", "max(k3) <= 0.05"), "odd", "may be looser", "`a` is violated more often than before: it may end sooner")
        usual = policy(ROUTE, TELL, STALE)
        self.assertEqual(self.rows(usual, usual.replace("max(k3) <= 0.1", "max(k3) <= 0.05")), ({}, "tighter"))

    def test_clauses_that_are_decided_otherwise(self):
        """A rule that says the same may do less where its clause is violated more often, or decided otherwise."""
        sure = ("a: max(k3) <= 0.1 over 10 min", "b: p99(k2) <= 0.1 with confidence 99% over 50000 tokens")
        route = "p: { when: violated(a), do: 'route(safe, probe=1%)', until: satisfied(a) }"
        wait = "q: { when: violated(b), do: hold, until: satisfied(b) }"
        away = "q: { when: violated(b), do: 'route(trainer, probe=50%)', until: satisfied(b) }"
        tell = "q: { when: violated(b), do: alert(\"us\"), until: satisfied(b) }"
        more, less = "`b` is violated more often than before: ", "`b` is violated less often than before: it may react later"
        for rules, was, now, told in [
            ((route, wait), "p99(k2) <= 0.1", "p99(k2) <= 0.05", more + "hold then takes precedence over route(safe, probe=1%) of `p`"),
            ((away, route), "p99(k2) <= 0.1", "p99(k2) <= 0.05", more + "route(trainer, probe=50%) then takes precedence over route(safe, probe=1%) of `p`"),
            ((route, away), "p99(k2) <= 0.1", "p99(k2) <= 0.05", None),
            ((route, tell), "p99(k2) <= 0.1", "p99(k2) <= 0.05", None),
            ((tell,), "99%", "99.9%", less),
            ((tell,), "99.9%", "99%", "`b` is satisfied more often than before: it may end sooner"),
            ((tell.replace(", until: satisfied(b)", ""),), "99.9%", "99%", None),
            ((tell.replace("violated(b)", "violated(b) for 2 windows").replace(", until: satisfied(b)", ""),), "99.9%", "99%", "`b` is satisfied more often than before: it may react later"),
            ((tell,), "50000 tokens", "25000 tokens", "`b` is judged over other windows than before"),
            ((tell.replace("violated(b)", "violated(a) and not violated(b)").replace("satisfied(b)", "satisfied(a)"),), "p99(k2) <= 0.1", "p99(k2) <= 0.05",
             "`b` is violated more often than before: it may react later"),
            ((tell.replace("satisfied(b)", "violated(a)"),), "p99(k2) <= 0.1", "p99(k2) <= 0.05", more + "it starts sooner, and may end where it used to start"),
            (("q: { when: violated(b), steps: [{ for: 2 windows, do: quarantine }, { for: 4 windows, do: alert(\"us\") }], until: satisfied(b) }",), "p99(k2) <= 0.1", "p99(k2) <= 0.05",
             more + "it sooner reaches a step that may do less"),
        ]:
            with self.subTest(rules=rules, now=now):
                old = policy(*rules, clauses=[each.replace("99%", was) if was == "99.9%" else each for each in sure])
                self.assertIn(was, old)
                rows, effect = self.rows(old, old.replace(was, now))
                self.assertEqual([kind for kind, _ in rows.values()], ["may be looser"] if told else [], rows)
                self.assertEqual(effect == "looser", bool(told))
                if told:
                    self.assertIn(told, rows["q"][1])

    def test_slices_that_are_judged_otherwise(self):
        split = MATH_AND_CODE.replace("  code: {", '  short: { when: task == "code" and prompt_tokens < 100 }\n  code: {')
        route = "p: { when: violated(a), do: 'route(safe, probe=1%)', until: satisfied(a) }"
        wait = "q: { when: violated(b), do: hold, until: satisfied(b) }"
        # A part may be violated where the whole was not, and a hold then takes the route's place.
        self.hold(policy(route, wait, slices=MATH_AND_CODE), policy(route, wait, slices=split), "q", "may be looser", "hold then takes precedence over route(safe, probe=1%) of `p`")
        mixed = policy(route, wait, slices=MATH_AND_CODE).replace("max(k2) <= 0.1", "mean(k2) <= 0.1 on all")
        self.hold(mixed, mixed.replace(" on all", ""), "q", "may be looser", "hold then takes precedence over route(safe, probe=1%) of `p`")
        # What was told of the whole is told of the part that is violated.
        alone = policy(TELL, slices=MATH_AND_CODE)
        self.assertEqual(self.rows(alone, alone.replace(MATH_AND_CODE, split))[1], "tighter")
        self.assertEqual(self.rows(alone, alone.replace(MATH_AND_CODE, MATH + '  code: { when: task == "code" }\n'))[1], "same")
        order = MATH + '  code: { when: task == "code" }\n'
        turned = LABELS + 'slices:\n  code: { when: task == "code" }\n  math: { when: task == "math" }\n'
        self.assertEqual(self.rows(policy(route, wait, slices=order), policy(route, wait, slices=turned)), ({}, "same"))

    def test_shares_that_leave_the_remainder_nothing(self):
        old = policy(TELL, slices=MATH_AND_CODE.replace('"math" }', '"math", weight: 40% }').replace('"code" }', '"code", weight: 50% }'))
        rows = self.changes(old, old.replace("50%", "60%"))
        self.assertEqual(rows["effect"], "looser")
        self.assertIn(("other.weight", "looser"), [(row["name"], row["kind"]) for row in rows["changes"]])

    def test_what_rules_rest_on(self):
        old = policy(ROUTE, TELL, slices=MATH_AND_CODE.replace('"math" }', '"math", weight: 40% }'))
        for was, now, name, kind, why in [
            ("safe: { engine: vllm, weights: bf16 }", "safe: { engine: vllm, weights: int4 }", "safe.weights", "may be looser",
             "rule `drift` sends traffic to it, but no clause limits it"),
            ("safe: { engine: vllm,", "safe: { engine: sglang,", "safe.engine", "described anew", ""),
            ("weight: 40%", "weight: 0%", "math.weight", "looser", "without a share of the requests"),
            ("weight: 40%", "weight: 30%", "math.weight", "described anew", ""),
            ("[math, code, chat]", "[math, code, chat, law]", "task", "described anew", "requests of `law` are now in the slice whose condition takes them"),
            ("[math, code, chat]", "[math, code]", "task", "described anew", "only the promises of `other` still apply to requests of `chat`"),
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
