"""Random contracts on random observations, three ways: generated checkers, by both compilers, for each set of instructions, standing alone
and not; loaded ones, which are to say the same to the last bit; and the meaning of their texts, in NumPy. TIKC_DIFFERENTIAL_CONTRACTS
is the number of contracts, in rounds of a dozen, and TIKC_DIFFERENTIAL_SEED the first round."""

import math
import os
import sys
import tempfile
from collections import Counter
from itertools import zip_longest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import CLANG, GCC, in_parallel  # noqa: E402
from harness import LOADED, Case, main, run, skip, skip_unless  # noqa: E402

try:
    import checker_coherence
    import checker_rules
    import checker_shares
    from checker_compare import Run, disagreements
    from checker_crowds import CROWDS, DRIFTS, HAZARDS, SHAPES
    from checker_formats import FORMATS
    from checker_programs import BUILDS, CROSS, INSTRUCTION_SETS, NEON, QEMU, Program
    from checker_random import VOCABULARIES, Round
    from checker_tables import AGGREGATES, METRICS
except ModuleNotFoundError as missing:
    skip(f"{missing}; the reference needs python3-numpy")
skip_unless(GCC and CLANG, "generated code is compiled with g++ and clang++")

SEED = int(os.environ.get("TIKC_DIFFERENTIAL_SEED", "3"))
ROUNDS = math.ceil(int(os.environ.get("TIKC_DIFFERENTIAL_CONTRACTS", "12")) / len(VOCABULARIES))
# Contracts of so few tokens that an emulator takes rows of them in its stride.
SMALL = 5000


def available():
    flags = set(Path("/proc/cpuinfo").read_text().split())
    return [name for name, needs in zip(INSTRUCTION_SETS, ([], ["avx2", "fma"], ["avx512f", "avx512bw", "avx512vl", "avx512dq"])) if flags >= set(needs)]


AVAILABLE = available()
if missing := [name for name in INSTRUCTION_SETS if name not in AVAILABLE]:
    print(f"this machine lacks {', '.join(missing)}: not tried")


class Differential(Case):
    def judge(self, program, index, contract, instructions, shuffled):
        """Returns what a checker says of what it sees in order, or in any order by three tallies, and where NumPy or a loaded checker says something else."""
        found = Run(program.command(index, 3 if shuffled else 1, instructions), contract.data, shuffled)
        if program.compiler != CROSS:
            self.assertEqual(found.uses, [INSTRUCTION_SETS.index(instructions)] * 2)
        wrong = disagreements(contract.checks, contract.data, found.findings, contract.names, contract.wanted)
        wrong += checker_shares.disagreements(contract, found.findings) + checker_rules.disagreements(contract, found)
        wrong += contract.given.wrong(found.assumed) + checker_coherence.disagreements(contract, found.findings)
        if program.compiler != CROSS:
            wrong += self.as_loaded(program, contract, found, instructions, shuffled)
        if (sorted(found.places) if shuffled else found.places) != (sorted(contract.places_asked) if shuffled else contract.places_asked):
            wrong.append("requests are of other slices")
        return found, [f"{contract.name} by {program.how} on {instructions}{', shuffled' if shuffled else ''}: {each}" for each in wrong]

    @staticmethod
    def as_loaded(program, contract, found, instructions, shuffled):
        """Where a checker that was loaded says something else, or has other bytes, which none that stands alone tells."""
        loaded = Run([LOADED, contract.file, *program.arguments(3 if shuffled else 1, instructions)], contract.data, shuffled)
        one, other = ([line for line in each.text.splitlines() if not (program.alone and line.startswith("bytes"))] for each in (found, loaded))
        return [f"says '{mine}', loaded '{theirs}'" for mine, theirs in zip_longest(one, other) if mine != theirs][:5]

    def hold_round(self, seed):
        scratch = tempfile.TemporaryDirectory(prefix="tikc-differential-")
        self.addCleanup(scratch.cleanup)
        folder, round_ = Path(scratch.name).resolve(), Round(seed)
        contracts = round_.contracts()
        for contract in contracts:
            self.assertEqual(run("check", "-q", "-", stdin=contract.text).returncode, 0, contract.text)
            contract.file = folder / f"{contract.name}.tikc.yaml"
            contract.file.write_text(contract.text)
        programs = [Program(folder / str(i), contracts[i::len(BUILDS)], build) for i, build in enumerate(BUILDS)]
        if CROSS and QEMU:
            small = [contract for contract in contracts if contract.data.vocabulary < SMALL]
            programs.append(Program(folder / "neon", small[seed % 3::3][:2], NEON))
        for program, complaints in zip(programs, in_parallel(Program.made, [(program,) for program in programs])):
            self.assertFalse(complaints, f"{program.how}:\n{complaints}")
        jobs = [(program, i, contract, instructions, seed if k % 2 else None)
                for program in programs for i, contract in enumerate(program.contracts)
                for k, instructions in enumerate(["portable"] if program.compiler == CROSS else AVAILABLE)]
        judged = in_parallel(self.judge, jobs)
        wrong = [each for _, said in judged for each in said]
        self.assertFalse(wrong, f"{len(wrong)} disagreements in round {seed}:\n" + "\n".join(wrong[:40]))
        runs = {contract: found for (_, _, contract, *_), (found, _) in zip(jobs, judged)}
        return round_, contracts, [runs[contract] for contract in contracts], len(jobs)

    def hold_coverage(self, round_, contracts, runs):
        """A round in which little happens would show little."""
        checks = [check for contract in contracts for check in contract.checks]
        self.assertLessEqual({metric.symbol for metric in METRICS}, {check.metric for check in checks})
        self.assertLessEqual({"quantile" if level else name for name, level in AGGREGATES}, {check.aggregate for check in checks})
        self.assertEqual({check.window[0] for check in checks}, {"stage", "ticks", "seconds", "tokens", "sequences", "requests", "steps"})
        self.assertLessEqual({"", "<=", "<", ">=", ">", "==", "!="}, {check.predicate[0] if check.predicate else "" for check in checks})
        self.assertEqual({len(check.limits) for check in checks}, {1, 2})
        for kind, names in (("crowd", CROWDS), ("hazard", ["none", *HAZARDS]), ("shape", SHAPES), ("drift", [f"{drift:g}" for drift in DRIFTS]),
                            ("formats", [f"{one}/{other}" for one in FORMATS for other in FORMATS])):
            for name in names:
                self.assertGreater(round_.decks.met[f"{kind} {name}"], 0, f"{kind} {name}")
        self.assertGreater(sum(contract.is_pair for contract in contracts), 0)
        self.assertLess(sum(contract.is_pair for contract in contracts), len(contracts))
        rules = [line.split() for found in runs for lines in found.rules for line in lines]
        self.assertLessEqual({("active", "0"), ("active", "1")}, {(kind, step[0]) for kind, _, _, *step in rules if step})
        self.assertIn("decides", {kind for kind, *_ in rules})
        shares = {verdict for contract, found in zip(contracts, runs)
                  for (_, index, _), (verdict, *_) in found.findings.items() if len(contract.checks) <= index < contract.coherence_at}
        self.assertEqual(shares, {"satisfied", "violated", "undecided"})
        logs = Counter(verdict for contract, found in zip(contracts, runs)
                       for (_, index, _), (verdict, *_) in found.findings.items() if index == contract.coherence_at)
        for verdict in ("satisfied", "violated", "undecided"):
            self.assertGreater(logs[verdict], 10, logs)
        wanted = [each for contract in contracts for each in contract.wanted.values()]
        verdicts = Counter(each.verdict for each in wanted)
        for verdict in ("satisfied", "violated", "undecided"):
            self.assertGreater(verdicts[verdict], len(wanted) / 12, verdicts)
        for verdict in ("satisfied", "violated"):
            self.assertGreater(sum(each.told == verdict + "-kept" for each in wanted), 20, verdict)
        self.assertGreater(sum(each.tight for each in wanted), 0.9 * len(wanted))
        return len(wanted)

    @staticmethod
    def small_drifts(contract):
        """How often a divergence is asked for of rows that are 1e-4 or less apart, for which relative accuracy is promised."""
        of = {"tv": (1e-6, 1e-4), "hellinger": (1e-12, 1e-8), "kl_train_infer": (1e-12, 1e-8), "kl_infer_train": (1e-12, 1e-8)}
        out = Counter()
        for (_, index, _), each in contract.wanted.items():
            check = contract.checks[index]
            low, high = of.get(check.metric, (1, 0))
            out[check.metric] += check.aggregate in ("max", "min", "mean") and each.off <= 1e-4 * each.value and low <= each.value <= high
        return out

    def test_three_ways_say_the_same(self):
        total, small = Counter(), Counter()
        for seed in range(SEED, SEED + ROUNDS):
            with self.subTest(round=seed):
                round_, contracts, found, runs = self.hold_round(seed)
                total.update(contracts=len(contracts), runs=runs, findings=self.hold_coverage(round_, contracts, found))
                for contract in contracts:
                    small += self.small_drifts(contract)
                    total["intervals"] += sum(each.tight and bool(each.interval) for each in contract.wanted.values())
                    total["unasked"] += sum(is_empty and not contract.data.is_busy(tick, place) for place, is_empty in enumerate(contract.is_empty)
                                            for tick in range(len(contract.data.times)))
        self.assertGreater(total["intervals"], 10 * ROUNDS)
        self.assertGreater(total["unasked"], 0)
        for metric in ("tv", "hellinger", "kl_train_infer", "kl_infer_train"):
            self.assertGreater(small[metric], 0, metric)
        print(f"{total['contracts']} contracts, {total['findings']} findings of theirs, {total['runs']} runs of generated checkers; divergences of small drifts: "
              + ", ".join(f"{metric} {count}" for metric, count in sorted(small.items())))


if __name__ == "__main__":
    main()
