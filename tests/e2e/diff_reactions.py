"""`tikc diff`: what a change to rules, stages and directives means."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import MATH_AND_CODE, Diff, text  # noqa: E402
from harness import main  # noqa: E402


class Reactions(Diff):
    def kind_of_rule(self, old, new):
        rows, _ = self.kinds(old, new)
        return [kind for part, _, kind in rows if part == "rule"]

    def test_other_words_for_the_same(self):
        base = text(["a: max(k3) <= 0.1", "b: max(k2) <= 0.1"], MATH_AND_CODE)
        for one, other in [
            ("violated(any), do: hold", "violated(any) for 1 windows, do: hold"),
            ("violated(a) or violated(b), do: hold", "violated(b) or violated(a), do: hold"),
            ("violated(a) and undecided(b), do: hold", "undecided(b) and violated(a), do: hold"),
            ("violated(a) or violated(b), do: hold", "not (not violated(a) and not violated(b)), do: hold"),
            ("violated(a), do: hold", "violated(a) or (violated(a) and violated(b)), do: hold"),
            ("violated(any), do: [hold, alert(\"us\")]", "violated(any), do: [alert(\"us\"), hold]"),
            ("violated(any), do: hold", "violated(any), do: hold, slices: [code, math, other]"),
            ("violated(any), do: hold, slices: [code, math]", "violated(any), do: hold, slices: [math, code]"),
        ]:
            with self.subTest(one=one, other=other):
                was, now = (base.replace("violated(any), do: hold", each) for each in (one, other))
                self.assertEqual(self.kinds(was, now), ([], "same"))
        for old, new, kind in [
            ("violated(a)", "violated(a) or violated(b)", "tighter"),
            ("violated(a)", "violated(a) and violated(b)", "looser"),
            ("violated(a)", "violated(b)", "looser"),
            ("violated(a)", "not violated(a)", "looser"),
        ]:
            with self.subTest(new=new):
                was, now = (base.replace("violated(any), do", f"{each}, do") for each in (old, new))
                self.assertEqual(self.kind_of_rule(was, now), [kind])

    def test_reactions(self):
        base = text(["a: max(k3) <= 0.1", "b: max(k2) <= 0.1"])
        for old, new, kind in [
            ("for 6 windows, do: hold", "for 9 windows, do: hold", "looser"),
            ("for 6 windows, do: hold", "for 3 windows, do: hold", "tighter"),
            ("violated(any), do: hold", "violated(any), do: rollback", "tighter"),
            ("violated(any), do: hold", "violated(any), do: quarantine", "looser"),
            ("violated(any), do: hold", "violated(any), do: [hold, alert(\"us\")]", "tighter"),
            ("violated(any), do: hold", "violated(any), do: alert(\"us\")", "looser"),
            ("violated(any), do: hold", "violated(any), do: hold, until: satisfied(any) for 2 windows", "looser"),
        ]:
            with self.subTest(new=new):
                rows, _ = self.kinds(base, base.replace(old, new))
                self.assertEqual([kind for part, _, kind in rows if part == "rule"], [kind])
        acting = base.replace("violated(any), do: hold", "violated(any), do: [quarantine, alert(\"us\")]")
        for new, kind in [("[rollback, alert(\"us\")]", "tighter"), ("rollback", "may be looser"), ("[rollback, alert(\"them\")]", "may be looser"),
                          ("[hold, alert(\"us\")]", "may be looser")]:
            with self.subTest(new=new):
                self.assertEqual(self.kind_of_rule(acting, acting.replace("[quarantine, alert(\"us\")]", new)), [kind])
        with_coherence = base.replace("escalation:", "  logs: coherent(logprobs, 99%)\nescalation:", 1)
        for old, new, kind in [(with_coherence, with_coherence.replace("99%", "99.9%"), "looser"), (with_coherence, with_coherence.replace("99%", "90%"), "tighter"),
                               (with_coherence, base, "removed"), (base, with_coherence, "added"),
                               (with_coherence, with_coherence.replace("99%", "0.99"), None)]:
            with self.subTest(new=new):
                rows, _ = self.kinds(old, new)
                self.assertEqual([each for _, name, each in rows if name == "logs"], [kind] if kind else [])
        rows, _ = self.kinds(base, base.replace("sample(logprobs, 100%)", "sample(logprobs, 10%)"))
        self.assertEqual(rows, [("directive", "tokens", "looser")])
        # What is new only adds, unless it takes the traffic from where an old rule has it.
        routes = base.replace("  silent", "  away: { when: violated(a), do: 'route(trainer, probe=1%)', until: satisfied(a) }\n  silent").replace("violated(any), do: hold", "violated(any), do: alert(\"us\")").replace("windows, do: hold", "windows, do: alert(\"us\")")
        for rule, kind in [
            ("{ when: violated(b), do: alert(\"them\") }", "added"),
            ("{ when: violated(b), do: rollback }", "added"),
            ("{ when: violated(b), do: hold }", "looser"),
        ]:
            with self.subTest(rule=rule):
                rows, _ = self.kinds(routes, routes.replace("  silent", f"  fresh: {rule}\n  silent"))
                self.assertEqual([kind for part, name, kind in rows if name == "fresh"], [kind])
        both = routes.replace("  silent", "  there: { when: violated(b), do: 'route(rollout_two, probe=1%)', until: satisfied(b) }\n  silent").replace(
            "pair:", "  rollout_two: { engine: vllm, weights: bf16 }\npair:")
        lines = both.splitlines(keepends=True)
        (away,), (there,) = ([i for i, line in enumerate(lines) if line.startswith(f"  {name}:")] for name in ("away", "there"))
        lines[away], lines[there] = lines[there], lines[away]
        self.assertEqual(self.kinds(both, "".join(lines)), ([("rule", "away", "may be looser")], "looser"))
        # A rule says of a renamed clause what it said.
        watched = base.replace("violated(any)", "violated(a)").replace("  silent", "  other: { when: violated(b), do: hold }\n  silent")
        rows, _ = self.kinds(watched, watched.replace("  a:", "  gap:").replace("violated(a)", "violated(gap)"))
        self.assertEqual(rows, [("clause", "gap", "renamed")])


if __name__ == "__main__":
    main()
