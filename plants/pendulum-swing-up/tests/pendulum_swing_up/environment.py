#!/usr/bin/env python3
"""Writes environment.txt: short runs by the published equations of the environment Pendulum-v1, in plain Python.

Nothing here knows bitloop: the angle is normalized by the remainder, the cost is that before the step, and the return is
the negative sum of costs. Each line holds run, steps taken, theta, theta_dot, and the return up to there.

    python3 environment.py > environment.txt
"""

from math import pi, sin

G, M, L, DT, MAX_TORQUE, MAX_SPEED = 10.0, 1.0, 1.0, 0.05, 2.0, 8.0

# theta, theta_dot, and the coefficients of the torque a theta_dot + b, held to the bounds: pumping, braking, a steady
# push, and a push so hard at the start that the bound of the speed is met.
RUNS = [
    (3.0, 0.2, 1.0, 0.0),
    (-0.3, 0.9, -0.5, 0.4),
    (-3.1, -1.0, 0.0, 1.3),
    (0.5, 7.5, 1.0, 0.0),
    (2.0, -7.9, 1.0, 0.0),
]
N_STEPS = 80


def clip(x, bound):
    return max(-bound, min(bound, x))


def main():
    print("# Written by environment.py: run, steps, theta, theta_dot, return")
    for run, (theta, speed, a, b) in enumerate(RUNS):
        total = 0.0
        for step in range(N_STEPS + 1):
            if step % 8 == 0:
                print(run, step, repr(theta), repr(speed), repr(total))
            u = clip(a * speed + b, MAX_TORQUE)
            normalized = (theta + pi) % (2 * pi) - pi
            total -= normalized**2 + 0.1 * speed**2 + 0.001 * u**2
            speed = clip(speed + (3 * G / (2 * L) * sin(theta) + 3 / (M * L**2) * u) * DT, MAX_SPEED)
            theta = theta + speed * DT


main()
