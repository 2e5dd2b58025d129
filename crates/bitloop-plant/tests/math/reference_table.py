#!/usr/bin/env python3
"""Writes reference_table.txt: true values of the elementary functions, by mpmath in 400 digits (pip install mpmath).

One line per value: function, bits of x, bits of y (0 where there is none), and the value as (high + low) * 2^exponent:
exponent, bits of high, bits of low, with 1 <= |high| <= 2. Its own generator, so the file never changes by itself.
"""
import struct
from mpmath import mp, mpf, atan2, cos, exp, expm1, floor, frexp, ldexp, log, pi, sin, tan, tanh

mp.dps = 400
state = 1


def random_bits():
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return state >> 11


def uniform(low, high):
    return low + (high - low) * random_bits() / 2**53


def bits(value):
    return f"{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016x}"


def row(name, value, x, y=None):
    mantissa, exponent = frexp(value)
    mantissa, exponent = mantissa * 2, exponent - 1
    high = mpf(float(mantissa))
    print(name, bits(x), bits(y) if y is not None else 0, exponent, bits(high), bits(float(mantissa - high)))


def spread(low_exponent, high_exponent):
    return (-1) ** random_bits() * uniform(1, 2) * 2.0 ** (low_exponent + random_bits() % (high_exponent - low_exponent))


ANGLES = [uniform(-0.8, 0.8) for _ in range(20)] + [uniform(-10, 10) for _ in range(20)]
ANGLES += [uniform(-1e5, 1e5) for _ in range(40)] + [spread(-1000, 16) for _ in range(20)]
# Near multiples of pi/2, around the end of the fast reduction, and every third exponent of the slow one.
ANGLES += [float(n * pi / 2) for n in (1, 2, 3, 4, 5, 1000, 1571, 20000, 63661, 63662, 63663, 66000, 10**6 + 1)]
ANGLES += [1e5, 100000.00000000001, 99999.99999999999]
ANGLES += [uniform(1, 2) * 2.0**e * (-1) ** e for e in range(17, 1024, 3)]
# The double that comes nearest to a multiple of pi/2 (Muller), and the largest one.
ANGLES += [6381956970095103.0 * 2.0**797, -1.7976931348623157e308]
for x in ANGLES:
    row("sin", sin(mpf(x)), x)
    row("cos", cos(mpf(x)), x)
    row("tan", tan(mpf(x)), x)

SMALL = [uniform(-0.6, 0.6) for _ in range(30)] + [spread(-1000, -1) for _ in range(10)]
MIDDLE = [uniform(-3, 3) for _ in range(30)] + [uniform(-40, 40) for _ in range(30)]
LARGE = [uniform(-745, 709) for _ in range(40)] + [709.782712893384, -745.1332191019411, -708.5, -740.1]
for x in SMALL + MIDDLE:
    row("tanh", tanh(mpf(x)), x)
for x in SMALL + MIDDLE + LARGE:
    row("exp", exp(mpf(x)), x)
    row("expm1", expm1(mpf(x)), x)
    row("logistic", 1 / (1 + exp(-mpf(x))), x)

NEAR_ONE = [1 + uniform(-1, 1) * 2.0**-e for e in range(2, 50)]
for x in [abs(spread(-1022, 1023)) for _ in range(60)] + NEAR_ONE + [5e-324, 2.2e-310, 1.7976931348623157e308]:
    row("ln", log(mpf(x)), x)

for x in [abs(spread(-1022, 1023)) for _ in range(100)] + NEAR_ONE + [5e-324, 2.2e-310]:
    y = float(uniform(-744, 709) / log(mpf(x)))
    row("pow", mpf(x) ** mpf(y), x, y)

for _ in range(150):
    y, x = spread(-30, 30), spread(-30, 30)
    row("atan2", atan2(mpf(y), mpf(x)), y, x)
