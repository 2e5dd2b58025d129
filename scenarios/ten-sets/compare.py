"""Trains on the ten sets of make.py with bitloop, beside scikit-learn, on the same rows, and prints tables in Markdown.

    pip install scikit-learn
    cargo build --release
    python scenarios/ten-sets/compare.py --seeds 1 2 3                # 2, 3 and 4 bits alone, beside rounded MLPs
    python scenarios/ten-sets/compare.py --seeds 1 2 --regularization 0 0.03 Auto    # for each training row, at 2 and 4 bits
    python scenarios/ten-sets/compare.py --seeds 1 2 3 --trainers     # BLM, CMA-ES, random search, secant, extreme learning

Each figure is the mean over seeds of the test error: the share of wrong classes in percent, or the RMSE in the target's unit.
Seconds are those of a processor, for all of a training. With --trainers each training restarts until its seconds are over,
and the validation rows choose among its runs; all have inputs in standard units, and the cross-entropy of classes, but for
extreme learning, which solves for the squared error. BITLOOP names the program.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import warnings

from sklearn.exceptions import ConvergenceWarning

from baseline import figures
from make import REGRESSION, parts, write

SHORT = {f"{bits} bits": f"TelescopicBlm(bits: {bits})" for bits in (2, 3, 4)}
TRAINERS = {
    "BLM, 12 bits": "TelescopicBlm(bits: 12)",
    "CMA-ES": "CmaEs(max_weight: 10)",
    "random search": "RandomSearch(max_weight: 2)",
    "one-step secant": "OneStepSecant()",
    "extreme learning": "ExtremeLearning(units: 100, ridges: [0.01, 0.1, 1, 10, 100])",
}
SCENARIO = """Supervised(
    data: File(path: "{data}", targets: {targets}),
    split: (training: {counts[0]}, validation: {counts[1]}, test: {counts[2]}, order: File),
    {more}
    network: (hidden: [{hidden}]),
    training: {training},
    seed: {seed},
)
"""


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def trained(program, folder, name, is_regression, of_set, training, more, hidden, seed):
    """Test error and seconds of a training."""
    scenario = folder / "scenario.ron"
    targets = 'Numbers(["target"])' if is_regression else 'Classes("target")'
    counts = [len(y) for _, y in of_set]
    scenario.write_text(
        SCENARIO.format(
            data=f"{name}.csv",
            targets=targets,
            counts=counts,
            hidden=hidden,
            training=training,
            more=more,
            seed=seed,
        )
    )
    out = folder / "run"
    before = used()
    run(program, "train", scenario, "--out", out, "--threads", "1")
    seconds = used() - before
    rows = (folder / f"{name}.csv").read_text().splitlines()
    test = folder / "test.csv"
    test.write_text("\n".join([rows[0]] + rows[1 + counts[0] + counts[1] :]) + "\n")
    found = json.loads(run(program, "predict", out / "model.ron", "--data", test, "--json"))
    run("rm", "-r", out)
    error = found["targets"][0]["rmse"] if is_regression else 100 * (1 - found["classified"])
    return error, seconds


def mean(values):
    return sum(values) / len(values)


def shown(error):
    return f"{error:.3g}" if error >= 1 else f"{error:.2f}"


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--hidden", type=int, default=20)
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--trainers", action="store_true")
    parser.add_argument("--seconds", type=float, default=20, help="of each training with --trainers")
    parser.add_argument("--regularization", nargs="+", default=[])
    args = parser.parse_args()
    program = os.path.abspath(os.environ.get("BITLOOP", "target/release/bitloop"))
    trainers = TRAINERS if args.trainers else SHORT
    if args.regularization:
        trainers = {
            f"{bits} bits, {weight}": f"TelescopicBlm(bits: {bits})"
            for bits in (2, 4)
            for weight in args.regularization
        }
    more = f"stop: (seconds: {args.seconds})," if args.trainers else ""
    found, beside = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for seed in args.seeds:
            print(f"seed {seed}", flush=True)
            for name, is_regression, of_set in parts(seed):
                if args.sets and name not in args.sets:
                    continue
                write(folder, name, is_regression, of_set, args.hidden, 4, seed)
                row = figures(seed, args.hidden, name, is_regression, of_set)
                beside.setdefault(name, []).append(row)
                for trainer, training in trainers.items():
                    # What has no scales of its own gets the scaling and the loss that the others have.
                    scaling = "" if "TelescopicBlm" in training else "scaling: (method: Standard),"
                    if scaling and not is_regression and "ExtremeLearning" not in training:
                        scaling += " loss: SoftmaxCrossEntropy,"
                    if "OneStepSecant" in training:
                        scaling += " regularization: Auto,"
                    if args.regularization:
                        weight = trainer.split(", ")[1]
                        n_training = len(of_set[0][1])
                        value = weight if weight == "Auto" else float(weight) * n_training
                        scaling = f"regularization: {value},"
                    one = trained(
                        program, folder, name, is_regression, of_set, training,
                        f"{more} {scaling}", args.hidden, seed,
                    )
                    found.setdefault((name, trainer), []).append(one)
                    print(f"{name} {trainer}: {shown(one[0])} in {one[1]:.1f} s", flush=True)
    if args.trainers or args.regularization:
        table(found, beside, trainers, {"scikit-learn's MLP": "float"})
    else:
        table(found, beside, trainers, {f"{bits} bits, rounded": str(bits) for bits in (2, 3, 4)})


def table(found, beside, trainers, others):
    """A line for each set, with the mean of the seconds in brackets."""
    print("| set | " + " | ".join([*trainers, *others]) + " |")
    print("|---|" + "---|" * (len(trainers) + len(others)))
    for name, rows in beside.items():
        cells = []
        for trainer in trainers:
            errors, seconds = zip(*found[name, trainer])
            cells.append(f"{shown(mean(errors))} ({mean(seconds):.1f} s)")
        for key in others.values():
            factor = 1 if name in REGRESSION else 100
            cell = shown(factor * mean([row[key] for row in rows]))
            if key == "float":
                cell += f" ({mean([row['fit_seconds'] for row in rows]):.1f} s)"
            cells.append(cell)
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
