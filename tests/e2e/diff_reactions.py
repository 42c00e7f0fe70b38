"""`tikc diff`: what a change to rules, stages and directives means."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from changed import Diff, text  # noqa: E402
from harness import main  # noqa: E402


class Reactions(Diff):
    def test_reactions(self):
        base = text(["a: max(k3) <= 0.1", "b: max(k2) <= 0.1"])
        for old, new, kind in [
            ("for 6 windows, do: hold", "for 9 windows, do: hold", "looser"),
            ("for 6 windows, do: hold", "for 3 windows, do: hold", "tighter"),
            ("violated(any), do: hold", "violated(any), do: rollback", "may be looser"),
            ("violated(any), do: hold", "violated(any), do: [hold, alert(\"us\")]", "tighter"),
            ("violated(any), do: hold", "violated(any), do: alert(\"us\")", "looser"),
            ("violated(any), do: hold", "violated(any), do: hold, until: satisfied(any) for 2 windows", "looser"),
        ]:
            with self.subTest(new=new):
                rows, _ = self.kinds(base, base.replace(old, new))
                self.assertEqual([kind for part, _, kind in rows if part == "rule"], [kind])
        rows, _ = self.kinds(base, base.replace("sample(logprobs, 100%)", "sample(logprobs, 10%)"))
        self.assertEqual(rows, [("directive", "tokens", "looser")])
        # What is new only adds, unless it takes the traffic from where an old rule has it.
        routes = base.replace("  silent", "  away: { when: violated(a), do: 'route(trainer, probe=1%)', until: satisfied(a) }\n  silent").replace("violated(any), do: hold", "violated(any), do: alert(\"us\")").replace("windows, do: hold", "windows, do: alert(\"us\")")
        for rule, kind in [
            ("{ when: violated(b), do: alert(\"them\") }", "added"),
            ("{ when: violated(b), do: rollback }", "added"),
            ("{ when: violated(b), do: hold }", "may be looser"),
        ]:
            with self.subTest(rule=rule):
                rows, _ = self.kinds(routes, routes.replace("  silent", f"  fresh: {rule}\n  silent"))
                self.assertEqual([kind for part, name, kind in rows if name == "fresh"], [kind])
        both = routes.replace("  silent", "  there: { when: violated(b), do: 'route(rollout_two, probe=1%)', until: satisfied(b) }\n  silent").replace(
            "pair:", "  rollout_two: { engine: vllm, weights: bf16 }\npair:")
        lines = both.splitlines(keepends=True)
        (away,), (there,) = ([i for i, line in enumerate(lines) if line.startswith(f"  {name}:")] for name in ("away", "there"))
        lines[away], lines[there] = lines[there], lines[away]
        self.assertEqual(self.kinds(both, "".join(lines)), ([("rule", "there", "may be looser")], "looser"))
        # A rule says of a renamed clause what it said.
        watched = base.replace("violated(any)", "violated(a)").replace("  silent", "  other: { when: violated(b), do: hold }\n  silent")
        rows, _ = self.kinds(watched, watched.replace("  a:", "  gap:").replace("violated(a)", "violated(gap)"))
        self.assertEqual(rows, [("clause", "gap", "renamed")])


if __name__ == "__main__":
    main()
