"""Writes ten data sets of scikit-learn as CSV files with a header, each split 60/15/25 by a seed that is printed.

    pip install scikit-learn
    python scenarios/ten-sets/make.py --seed 1 --out data/ten-sets

NAME.csv has the training rows first, then the validation rows, then the test rows, and the target in the column `target`;
NAME.ron is a scenario that trains on it with `bits` alone set. Classes are stratified.
"""

import argparse
import pathlib

import numpy as np
from sklearn import datasets
from sklearn.model_selection import train_test_split

REGRESSION = ("diabetes", "friedman1", "friedman2")
SCENARIO = """Supervised(
    data: File(path: "{name}.csv", targets: {targets}),
    split: (training: {counts[0]}, validation: {counts[1]}, test: {counts[2]}, order: File),
    network: (hidden: [{hidden}]),
    training: TelescopicBlm(bits: {bits}),
    seed: {seed},
)
"""


def loaded(bunch):
    return bunch.data, bunch.target


def all_sets(seed):
    """Name, inputs and targets of each set; those that are drawn are drawn by the seed."""
    yield "iris", loaded(datasets.load_iris())
    yield "wine", loaded(datasets.load_wine())
    yield "breast-cancer", loaded(datasets.load_breast_cancer())
    yield "digits", loaded(datasets.load_digits())
    yield "moons", datasets.make_moons(500, noise=0.2, random_state=seed)
    yield "circles", datasets.make_circles(500, noise=0.1, factor=0.5, random_state=seed)
    yield "unbalanced", datasets.make_classification(
        1000, n_features=10, n_informative=5, weights=[0.9], class_sep=1.0, random_state=seed
    )
    yield "diabetes", loaded(datasets.load_diabetes())
    yield "friedman1", datasets.make_friedman1(500, noise=1.0, random_state=seed)
    yield "friedman2", datasets.make_friedman2(500, noise=10.0, random_state=seed)


def split(x, y, seed, is_regression):
    """The parts for training, validation and test, in this order."""
    classes = None if is_regression else y
    x, x_test, y, y_test = train_test_split(
        x, y, test_size=0.25, random_state=seed, stratify=classes
    )
    classes = None if is_regression else y
    x, x_validation, y, y_validation = train_test_split(
        x, y, test_size=0.2, random_state=seed, stratify=classes
    )
    return (x, y), (x_validation, y_validation), (x_test, y_test)


def parts(seed):
    """Name, whether the target is a number, and the three parts of each set."""
    for name, (x, y) in all_sets(seed):
        is_regression = name in REGRESSION
        yield name, is_regression, split(np.asarray(x, float), np.asarray(y), seed, is_regression)


def write(folder, name, is_regression, of_set, hidden, bits, seed):
    lines = [",".join([f"x{index + 1}" for index in range(of_set[0][0].shape[1])] + ["target"])]
    for x, y in of_set:
        for row, target in zip(x, y):
            cells = [repr(float(cell)) for cell in row]
            cells.append(repr(float(target)) if is_regression else f"c{int(target)}")
            lines.append(",".join(cells))
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    targets = 'Numbers(["target"])' if is_regression else 'Classes("target")'
    counts = [len(y) for _, y in of_set]
    text = SCENARIO.format(
        name=name, targets=targets, counts=counts, hidden=hidden, bits=bits, seed=seed
    )
    (folder / f"{name}.ron").write_text(text)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=20)
    parser.add_argument("--bits", type=int, default=4)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("data/ten-sets"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    print(f"seed {args.seed}: 60 % for training, 15 % for validation, 25 % for the test")
    for name, is_regression, of_set in parts(args.seed):
        counts = write(args.out, name, is_regression, of_set, args.hidden, args.bits, args.seed)
        print(f"{name}: {counts[0]} + {counts[1]} + {counts[2]} rows -> {args.out / name}.csv")


if __name__ == "__main__":
    main()
