/*
 * The inverted pendulum on a cart, in C: the same plant as ../inverted-pendulum, to the last bit. Its README explains
 * equations, error and failure set. The equations are in equations.h.
 */
#include "bitloop_equations.h"

enum { X, THETA, X_DOT, THETA_DOT };
enum { CART_MASS, PENDULUM_MASS, LENGTH, GRAVITY, LAMBDA, FAILURE_ANGLE };

static const BitloopVariable states[] = {
    BITLOOP_VARIABLE("x", "m"),
    BITLOOP_VARIABLE("theta", "rad"),
    BITLOOP_VARIABLE("x_dot", "m/s"),
    BITLOOP_VARIABLE("theta_dot", "rad/s"),
};

static const BitloopVariable controls[] = {BITLOOP_VARIABLE("force", "N")};

static const BitloopParameter parameters[] = {
    {"cart_mass", "kg", "mass of the cart, M", 1.0, 1e-6, 1e6},
    {"pendulum_mass", "kg", "mass at the rod's end, m", 1.0, 0.0, 1e6},
    {"length", "m", "length of the rod, l", 1.0, 1e-6, 1e6},
    {"gravity", "m/s^2", "acceleration of free fall, g", 9.81, 0.0, 1e3},
    {"lambda", "rad^2/m^2", "weight of x^2 against theta^2", 0.01, 0.0, 1e6},
    {"failure_angle", "rad", "tilt at which the pendulum has fallen", 1.1, 0.0, 1e3},
};

static const uint32_t integrators[] = {
    BITLOOP_INTEGRATOR_EULER,
    BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER,
    BITLOOP_INTEGRATOR_RUNGE_KUTTA_4,
};

static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription),
    .n_states = BITLOOP_COUNT(states),
    .n_controls = BITLOOP_COUNT(controls),
    .n_observations = BITLOOP_COUNT(states),
    .n_parameters = BITLOOP_COUNT(parameters),
    .n_integrators = BITLOOP_COUNT(integrators),
    .name = "inverted-pendulum",
    .version = "1",
    .summary = "A pendulum kept upright on a cart by a force on the cart.",
    .states = states,
    .controls = controls,
    .observations = states,
    .parameters = parameters,
    .integrators = integrators,
    .step_s = 0.01,
    .sample_time_s = 0.1,
};

/* The same picture as that of ../inverted-pendulum, with fewer marks on the rail. Frames count from 1; 0 is the plane. */
enum { PLANE, CART, ROD };
#define ROD_END BITLOOP_FIXED(0.0), BITLOOP_PARAMETER_OF(0.0, 1.0, LENGTH)
#define MARK(x)                                                                                    \
    {BITLOOP_FIXED(x), BITLOOP_FIXED(-0.2), BITLOOP_FIXED(x), BITLOOP_FIXED(-0.3)}

/* theta is counterclockwise: a cart pushed to the right leaves the mass behind on the left. */
static const BitloopFrame frames[] = {
    {PLANE, BITLOOP_STATE_OF(0.0, 1.0, X), BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0)},
    {CART, BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), BITLOOP_STATE_OF(0.0, 1.0, THETA)},
};

static const BitloopNumber rail[] = {
    BITLOOP_FIXED(-100.0), BITLOOP_FIXED(-0.2), BITLOOP_FIXED(100.0), BITLOOP_FIXED(-0.2)};
static const BitloopNumber marks[][4] = {MARK(-2.0), MARK(-1.0), MARK(1.0), MARK(2.0)};
static const BitloopNumber target[] = {
    BITLOOP_FIXED(0.0), BITLOOP_FIXED(-0.2), BITLOOP_FIXED(0.0), BITLOOP_FIXED(-0.4)};
static const BitloopNumber cart[] = {
    BITLOOP_FIXED(-0.3), BITLOOP_FIXED(-0.15), BITLOOP_FIXED(0.6), BITLOOP_FIXED(0.3)};
static const BitloopNumber push[] = {
    BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), BITLOOP_CONTROL_OF(0.0, 0.05, 0), BITLOOP_FIXED(0.0)};
static const BitloopNumber rod[] = {BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), ROD_END};
static const BitloopNumber mass[] = {ROD_END, BITLOOP_FIXED(0.1)};

static const BitloopShape shapes[] = {
    BITLOOP_SHAPE(CART, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_GROUND, rail),
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_GROUND, marks[0]),
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_GROUND, marks[1]),
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_GROUND, marks[2]),
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_GROUND, marks[3]),
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_TARGET, target),
    BITLOOP_SHAPE(CART, BITLOOP_SHAPE_RECT, BITLOOP_ROLE_BODY, cart),
    BITLOOP_SHAPE(CART, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_FORCE, push),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_MOVING, rod),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_CIRCLE, BITLOOP_ROLE_MOVING, mass),
};

static const BitloopPicture picture = {
    .struct_size = sizeof(BitloopPicture),
    .n_frames = BITLOOP_COUNT(frames),
    .n_shapes = BITLOOP_COUNT(shapes),
    .follow = CART,
    .left = -2.0,
    .right = 2.0,
    .bottom = -0.6,
    .top = 1.5,
    .frames = frames,
    .shapes = shapes,
};

BITLOOP_PLANT_NAME("inverted-pendulum")

/* The rest of the plant is made of these. */
#define BITLOOP_DESCRIPTION description
#define BITLOOP_PICTURE picture
#define BITLOOP_EQUATIONS "equations.h"
#include "bitloop_vectors.h"
