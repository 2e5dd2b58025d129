/*
 * Physics that the equations must show. `bitloop plant check` tests what all plants have in common.
 *
 * What belongs to the pendulum, and changes with the equations: `advance`, which names THETA, OMEGA, TORQUE and FRICTION; `energy`;
 * all of `main` but its last line; and in `math` the functions that the equations call. `check` fits any plant.
 */
#include "plant.c"

#include <stdio.h>

static double plain_fma(double a, double b, double c) { return a * b + c; }

/* Of the table that bitloop lends, what this plant uses. */
static const BitloopMath math = {.struct_size = sizeof(BitloopMath), .sin = sin, .fma = plain_fma};

static int n_wrong = 0;

static void check(int is_true, const char *fact) {
    printf("%s: %s\n", is_true ? "ok" : "WRONG", fact);
    n_wrong += !is_true;
}

/* Advances x by 10 s under a constant torque, with the default parameters and this friction. */
static void advance(double *x, double torque, double friction) {
    double p[BITLOOP_COUNT(parameters)];
    BitloopLane lane = {{0}, {0}, {0}};
    for (uint32_t i = 0; i < BITLOOP_COUNT(parameters); i++) p[i] = parameters[i].usual;
    p[FRICTION] = friction;
    for (uint32_t i = 0; i < BITLOOP_COUNT(parameters); i++) lane.p[i] = p[i];
    lane.x[THETA] = x[THETA];
    lane.x[OMEGA] = x[OMEGA];
    lane.u[TORQUE] = torque;
    for (int step = 0; step < 1000; step++) {
        bitloop_runge_kutta_4(&description, &equations, &math, 0.01 * step, 0.01, &lane);
    }
    x[THETA] = lane.x[THETA];
    x[OMEGA] = lane.x[OMEGA];
}

/* Kinetic and potential energy, with the default mass and length of 1. */
static double energy(const double *x) {
    return 0.5 * x[OMEGA] * x[OMEGA] + 9.81 * (1.0 - cos(x[THETA]));
}

int main(void) {
    const double start[] = {1.5, 0.0};
    double rest[] = {0.0, 0.0}, free[] = {1.5, 0.0}, damped[] = {1.5, 0.0}, held[] = {0.0, 0.0};

    advance(rest, 0.0, 0.1);
    check(rest[THETA] == 0.0 && rest[OMEGA] == 0.0, "at rest it stays at rest");

    advance(free, 0.0, 0.0);
    check(fabs(energy(free) / energy(start) - 1.0) < 1e-6, "energy is kept without friction");

    advance(damped, 0.0, 0.1);
    check(energy(damped) < 0.9 * energy(start), "energy is lost with friction");

    for (int times = 0; times < 5; times++) advance(held, 3.0, 2.0);
    check(fabs(9.81 * sin(held[THETA]) - 3.0) < 1e-9, "a torque holds it where gravity balances it");

    return n_wrong != 0;
}
