#!/usr/bin/env python3
"""Writes environment.txt: short runs by the published equations of the environment Acrobot-v1, in plain Python.

Nothing here knows bitloop: accelerations come from the 2 x 2 system of the manipulator equations, solved by Cramer's
rule, and the goal from the height of the free end in Cartesian coordinates. A line holds run, steps taken, the two angles
and speeds, and whether the goal was reached; after it, a run stays where it is.

    python3 environment.py > environment.txt
"""

from math import cos, pi, sin

M1 = M2 = L1 = L2 = I1 = I2 = 1.0
C1 = C2 = 0.5
G, DT = 9.8, 0.2
BOUNDS = (4 * pi, 9 * pi)

# The state at the start, and the torque: a push that turns with a speed, 1 or 2, or stays.
RUNS = [
    ((0.1, -0.05, 0.02, 0.0), lambda s: 1.0 if s[3] > 0 else -1.0),
    ((-0.08, 0.1, 0.0, 0.05), lambda s: -1.0 if s[2] > 0 else 1.0),
    ((0.0, 0.0, 0.0, 0.0), lambda s: 0.5),
    ((3.0, 2.5, 2.0, 20.0), lambda s: 1.0),
    ((-2.9, -3.0, -11.0, -3.0), lambda s: -1.0),
]
N_STEPS = 60


def rates(s, torque):
    a, b, da, db = s
    m12 = M2 * (C2 * C2 + L1 * C2 * cos(b)) + I2
    m11 = M1 * C1 * C1 + M2 * (L1 * L1 + C2 * C2 + 2 * L1 * C2 * cos(b)) + I1 + I2
    m22 = M2 * C2 * C2 + I2
    h = M2 * L1 * C2 * sin(b)
    f1 = h * db * db + 2 * h * da * db - (M1 * C1 + M2 * L1) * G * sin(a) - M2 * C2 * G * sin(a + b)
    f2 = torque - h * da * da - M2 * C2 * G * sin(a + b)
    det = m11 * m22 - m12 * m12
    return (da, db, (f1 * m22 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det)


def rk4(s, torque):
    def at(k, h):
        return tuple(x + h * dx for x, dx in zip(s, k))

    k1 = rates(s, torque)
    k2 = rates(at(k1, DT / 2), torque)
    k3 = rates(at(k2, DT / 2), torque)
    k4 = rates(at(k3, DT), torque)
    return [x + DT / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(s, k1, k2, k3, k4)]


def step(s, torque):
    s = rk4(s, torque)
    for i in (0, 1):
        while s[i] > pi:
            s[i] -= 2 * pi
        while s[i] < -pi:
            s[i] += 2 * pi
        s[2 + i] = min(max(s[2 + i], -BOUNDS[i]), BOUNDS[i])
    return tuple(s)


def height(s):
    elbow = -L1 * cos(s[0])
    return elbow - L2 * cos(s[0] + s[1])


def main():
    print("# Written by environment.py: run, steps, theta_1, theta_2, theta_1_dot, theta_2_dot, reached")
    for run, (s, policy) in enumerate(RUNS):
        reached = False
        for n in range(N_STEPS + 1):
            if n % 4 == 0:
                print(run, n, *map(repr, s), int(reached))
            if not reached:
                s = step(s, policy(s))
                reached = height(s) > 1.0


main()
