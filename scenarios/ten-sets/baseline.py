"""Rounds scikit-learn's regularized MLP to 2, 3 and 4 bits, on the sets and splits of make.py, and prints test figures.

    python scenarios/ten-sets/baseline.py --seeds 1 2 3 --out baseline.json

Inputs and numeric targets are standardized by the training rows. `alpha` is chosen by the validation rows before rounding; the
clip of each layer, a share of its largest weight, by the validation rows at each number of bits, all pairs being tried. Weights
and biases become whole multiples of clip / (2^(bits-1) - 1), from -2^(bits-1) to 2^(bits-1) - 1 of them. Classes have the
accuracy, numbers the RMSE in the target's unit.
"""

import argparse
import itertools
import json
import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.preprocessing import StandardScaler

from make import parts

ALPHAS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0)
CLIPS = (0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def rounded(layer, clip, bits):
    largest = 2 ** (bits - 1) - 1
    step = clip * max(np.abs(part).max() for part in layer) / largest
    return [np.clip(np.round(part / step), -largest - 1, largest) * step for part in layer]


class Rounding:
    """A fitted network whose layers are replaced by rounded ones."""

    def __init__(self, network):
        self.network = network
        self.layers = list(zip(network.coefs_, network.intercepts_))

    def with_layers(self, layers):
        self.network.coefs_ = [weights for weights, _ in layers]
        self.network.intercepts_ = [biases for _, biases in layers]
        return self.network


def fitted(is_regression, hidden, alpha, seed, x, y):
    kind = MLPRegressor if is_regression else MLPClassifier
    network = kind(
        hidden_layer_sizes=(hidden,),
        activation="tanh",
        alpha=alpha,
        solver="lbfgs",
        max_iter=2000,
        random_state=seed,
    )
    return network.fit(x, y)


def figures(seed, hidden, name, is_regression, of_set):
    start = time.process_time()
    (x, y), (x_validation, y_validation), (x_test, y_test) = of_set
    scaler = StandardScaler().fit(x)
    x, x_validation, x_test = (scaler.transform(part) for part in (x, x_validation, x_test))
    mean, unit = (y.mean(), y.std()) if is_regression else (0.0, 1.0)

    def error(network, x, y):
        if is_regression:
            return float(np.sqrt(np.mean((network.predict(x) * unit + mean - y) ** 2)))
        return float(np.mean(network.predict(x) != y))

    trained = [
        fitted(is_regression, hidden, alpha, seed, x, (y - mean) / unit if is_regression else y)
        for alpha in ALPHAS
    ]
    fit_seconds = time.process_time() - start
    best = min(trained, key=lambda network: error(network, x_validation, y_validation))
    found = {"seed": seed, "set": name, "float": error(best, x_test, y_test)}
    found["fit_seconds"] = fit_seconds
    rounding = Rounding(best)
    for bits in (2, 3, 4):
        of_layers = [[rounded(layer, clip, bits) for clip in CLIPS] for layer in rounding.layers]
        layers = min(
            itertools.product(*of_layers),
            key=lambda layers: error(rounding.with_layers(layers), x_validation, y_validation),
        )
        found[str(bits)] = error(rounding.with_layers(layers), x_test, y_test)
    if is_regression:
        found["mean"] = float(np.sqrt(np.mean((mean - y_test) ** 2)))
    found["seconds"] = time.process_time() - start
    return found


def main():
    warnings.simplefilter("ignore", ConvergenceWarning)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--hidden", type=int, default=20)
    parser.add_argument("--out")
    args = parser.parse_args()
    rows = []
    for seed in args.seeds:
        print(f"seed {seed}")
        for name, is_regression, of_set in parts(seed):
            row = figures(seed, args.hidden, name, is_regression, of_set)
            rows.append(row)
            print("  ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{value}"
                            for key, value in row.items() if key != "seed"), flush=True)
    if args.out:
        with open(args.out, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
