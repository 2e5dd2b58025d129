#!/usr/bin/env python3
"""Derives the polynomial coefficients of src/math: a weighted Remez exchange in 60 digits (pip install mpmath).

Coefficients are rounded to double one after the other, lowest power first, and those that remain are fitted again, so
that the later ones make up for the rounding of the earlier ones. Prints Rust constants and, for each polynomial, the
largest relative error of the function that it leaves behind, as a power of two.
"""
import struct
from mpmath import mp, mpf, matrix, lu_solve, sin, cos, sinh, cosh, tanh, atan, atanh, pi, log, sqrt

mp.dps = 60


def remez(function, weight, powers, low, high, rounds=12):
    """Coefficients of the given powers that minimize max |weight * (function - polynomial)|, and that maximum."""
    count = len(powers)
    nodes = [
        (low + high) / 2 - (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * (count + 1))) for i in range(count + 1)
    ]
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / (120 * count)) for i in range(120 * count + 1)]
    values = [(x, function(x), weight(x)) for x in grid]
    best = None
    for _ in range(rounds):
        system, right = matrix(count + 1, count + 1), matrix(count + 1, 1)
        for row, x in enumerate(nodes):
            for column, power in enumerate(powers):
                system[row, column] = x**power
            system[row, count] = (-1) ** row / weight(x)
            right[row] = function(x)
        solution = lu_solve(system, right)
        coefficients = [solution[i] for i in range(count)]
        errors = [w * (f - sum(c * x**p for c, p in zip(coefficients, powers))) for x, f, w in values]
        worst = max(abs(e) for e in errors)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        # One extremum of each run of equal signs; the nodes move there.
        runs = []
        for (x, _, _), error in zip(values, errors):
            if runs and (runs[-1][1] > 0) == (error > 0):
                if abs(error) > abs(runs[-1][1]):
                    runs[-1] = (x, error)
            else:
                runs.append((x, error))
        # Too many: the weakest goes, with its weaker neighbor where signs would otherwise no longer alternate.
        while len(runs) > count + 1:
            weakest = min(range(len(runs)), key=lambda i: abs(runs[i][1]))
            if weakest in (0, len(runs) - 1):
                runs.pop(weakest)
            elif len(runs) == count + 2:
                runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
            else:
                runs.pop(weakest)
                pair = weakest - 1 if abs(runs[weakest - 1][1]) < abs(runs[weakest][1]) else weakest
                runs.pop(pair)
        if len(runs) < count + 1:
            break
        nodes = [x for x, _ in runs]
    return best


def double(value):
    return mpf(float(value))


def fit(name, function, weight, degree, low, high):
    """Fits c0 + c1 x + ... and prints it."""
    low, high = mpf(low), mpf(high)
    fixed = []
    for start in range(degree + 1):
        rest = lambda x: function(x) - sum(c * x**i for i, c in enumerate(fixed))
        coefficients, _ = remez(rest, weight, range(start, degree + 1), low, high, rounds=8)
        fixed.append(double(coefficients[0]))
    grid = [low + (high - low) * i / 2000 for i in range(2001)]
    error = max(abs(weight(x) * (function(x) - sum(c * x**i for i, c in enumerate(fixed)))) for x in grid)
    print(f"/// {name}: relative error 2^{float(log(error, 2)):.1f}.")
    print(f"[{', '.join(repr(float(c)) for c in fixed)}]\n", flush=True)


def fit_ratio(name, function, weight, degree, divisor_degree, low, high):
    """Interpolates by P / Q at Chebyshev nodes, the leading coefficient of Q being 1, and prints both."""
    low, high = mpf(low), mpf(high)
    count = degree + 1 + divisor_degree
    system, right = matrix(count, count), matrix(count, 1)
    for row in range(count):
        x = (low + high) / 2 - (high - low) / 2 * cos(pi * (2 * row + 1) / (2 * count))
        for power in range(degree + 1):
            system[row, power] = x**power
        for power in range(divisor_degree):
            system[row, degree + 1 + power] = -function(x) * x**power
        right[row] = function(x) * x**divisor_degree
    solution = [double(value) for value in lu_solve(system, right)]
    p, q = solution[: degree + 1], solution[degree + 1 :] + [mpf(1)]
    value = lambda x: sum(c * x**i for i, c in enumerate(p)) / sum(c * x**i for i, c in enumerate(q))
    grid = [low + (high - low) * i / 2000 for i in range(2001)]
    error = max(abs(weight(x) * (function(x) - value(x))) for x in grid)
    print(f"/// {name}: relative error 2^{float(log(error, 2)):.1f}.")
    print(f"P = [{', '.join(repr(float(c)) for c in p)}]\nQ = [{', '.join(repr(float(c)) for c in q)}]\n", flush=True)


def words(name, value, count):
    """The first binary digits of `value`, in words of 64."""
    print(f"{name}:")
    mp.dps = 20 * count + 20
    rest = value()
    for _ in range(count):
        rest *= 2**64
        print(f"    {int(rest):#018x},")
        rest -= int(rest)
    mp.dps = 60


def parts(name, value, count):
    """`value` as the sum of `count` doubles."""
    rest, out = value, []
    for _ in range(count):
        out.append(double(rest))
        rest -= out[-1]
    print(f"{name}: {', '.join(repr(float(part)) for part in out)}; hex", end="")
    print("".join(f" {struct.unpack('<Q', struct.pack('<d', float(part)))[0]:#018x}" for part in out))


TINY = "1e-12"
EIGHTH_TURN = pi / 4 * (1 + mpf(2) ** -30)
HALF_LN2 = log(2) / 2 * (1 + mpf(2) ** -30)

if __name__ == "__main__":
    import sys

    wanted = sys.argv[1:]
    jobs = {
        "sin": lambda: fit(
            "sin r = r + r u S(u), u = r^2, |r| <= pi/4",
            lambda u: (sin(sqrt(u)) / sqrt(u) - 1) / u, lambda u: u * sqrt(u) / sin(sqrt(u)), 5, TINY, EIGHTH_TURN**2),
        "cos": lambda: fit(
            "cos r = 1 - u/2 + u^2 C(u), u = r^2, |r| <= pi/4",
            lambda u: (cos(sqrt(u)) - 1 + u / 2) / u**2, lambda u: u**2 / cos(sqrt(u)), 5, "1e-9", EIGHTH_TURN**2),
        "exp": lambda: (
            fit("(cosh r - 1) / u = even part of P, e^r = 1 + r + u P(r), u = r^2, |r| <= ln(2)/2",
                lambda u: (cosh(sqrt(u)) - 1) / u, lambda u: u, 4, TINY, HALF_LN2**2),
            fit("(sinh r - r) / (r u) = odd part of P over r, relative to r",
                lambda u: (sinh(sqrt(u)) / sqrt(u) - 1) / u, lambda u: u, 4, TINY, HALF_LN2**2)),
        "tanh": lambda: fit_ratio(
            "tanh x = x + x u P(u) / Q(u), u = x^2, |x| <= 0.55",
            lambda u: (tanh(sqrt(u)) / sqrt(u) - 1) / u, lambda u: u * sqrt(u) / tanh(sqrt(u)), 2, 3,
            TINY, mpf("0.55") ** 2),
        "atan": lambda: fit(
            "atan q = q + q z A(z), z = q^2, 0 <= q <= 1",
            lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / atan(sqrt(z)), 19, TINY, 1),
        "pow": lambda: fit(
            "ln((1+s)/(1-s)) = 2 s + s z (2/3 + z Q(z)), z = s^2, |s| <= (sqrt 2 - 1)/(sqrt 2 + 1)",
            lambda z: (2 * (atanh(sqrt(z)) / sqrt(z) - 1) / z - mpf(2) / 3) / z, lambda z: z**2 / 2,
            7, "1e-9", ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * (1 + mpf(2) ** -30)),
        "ln": lambda: fit(
            "ln((1+s)/(1-s)) = 2 s + s z L(z), z = s^2, |s| <= (sqrt 2 - 1)/(sqrt 2 + 1)",
            lambda z: 2 * (atanh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / (2 * atanh(sqrt(z))),
            6, TINY, ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 * (1 + mpf(2) ** -30)),
        "constants": lambda: (
            parts("2/pi", 2 / pi, 1), parts("pi/2", pi / 2, 3), parts("pi", pi, 2), parts("ln 2", log(2), 3),
            parts("log2 e", 1 / log(2), 1), parts("2 log2 e", 2 / log(2), 1), parts("ln(2)/2", log(2) / 2, 2),
            parts("2/3", mpf(2) / 3, 2), parts("sqrt 1/2", sqrt(mpf(1) / 2), 1),
            words("digits of 2/pi", lambda: 2 / pi, 19), words("digits of pi/4", lambda: pi / 4, 1)),
    }
    for job in wanted or jobs:
        jobs[job]()
