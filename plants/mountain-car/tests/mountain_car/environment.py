#!/usr/bin/env python3
"""Writes environment.txt: short runs by the published equations of MountainCarContinuous-v0, in plain Python.

Nothing here knows bitloop. The environment keeps its state in single precision; here it is double. A run ends at the goal.
Each line holds run, steps taken, position, velocity, whether the goal is reached, and the return up to there.

    python3 environment.py > environment.txt
"""

from math import cos

POWER, GRAVITY, MIN, MAX, MAX_SPEED, GOAL = 0.0015, 0.0025, -1.2, 0.6, 0.07, 0.45

# position, velocity, and the coefficients of the force a velocity + b, held to the bounds: pumping, pumping by little,
# nothing at all, a steady push that does not do, a fast start against the left wall, and one that meets the bound of the
# speed on its way to the goal.
RUNS = [
    (-0.5, 0.0, 1000.0, 0.1),
    (-0.45, 0.0, 20.0, 0.05),
    (-0.6, 0.01, 0.0, 0.0),
    (-0.5, 0.0, 0.0, 1.0),
    (-0.9, -0.05, 0.0, -1.0),
    (-0.9, 0.068, 0.0, 1.0),
]
N_STEPS, EVERY = 240, 12


def clip(x, low, high):
    return max(low, min(high, x))


def main():
    print("# Written by environment.py: run, steps, position, velocity, reached, return")
    for run, (position, velocity, a, b) in enumerate(RUNS):
        total, reached = 0.0, False
        for step in range(N_STEPS + 1):
            if step % EVERY == 0:
                print(run, step, repr(position), repr(velocity), int(reached), repr(total))
            if reached:
                continue
            force = clip(a * velocity + b, -1.0, 1.0)
            velocity += force * POWER - GRAVITY * cos(3 * position)
            velocity = clip(velocity, -MAX_SPEED, MAX_SPEED)
            position = clip(position + velocity, MIN, MAX)
            if position == MIN and velocity < 0:
                velocity = 0.0
            reached = position >= GOAL and velocity >= 0
            total += (100.0 if reached else 0.0) - 0.1 * force**2


main()
