/* A pendulum with friction, brought to rest by a torque. Its equations are in equations.h. */
#include "bitloop_equations.h"

#define PI 3.14159265358979323846

enum { THETA, OMEGA };
enum { TORQUE };
enum { MASS, LENGTH, FRICTION, GRAVITY, TORQUE_WEIGHT };

static const BitloopVariable states[] = {
    BITLOOP_VARIABLE("theta", "rad"),
    BITLOOP_VARIABLE("omega", "rad/s"),
};

/* Name, unit, min, max, center, scale, start. Whatever the controller asks for, this is what the motor can do. */
static const BitloopVariable controls[] = {{"torque", "N m", -5.0, 5.0, 0.0, 1.0, 0.0}};

/* Name, unit, meaning, default, min, max. */
static const BitloopParameter parameters[] = {
    {"mass", "kg", "mass at the rod's end, m", 1.0, 1e-3, 1e3},
    {"length", "m", "length of the rod, l", 1.0, 1e-3, 1e3},
    {"friction", "N m s", "torque per speed", 0.1, 0.0, 1e3},
    {"gravity", "m/s^2", "acceleration of free fall, g", 9.81, 0.0, 1e3},
    {"torque_weight", "rad^2/(N m)^2", "cost of the torque", 0.01, 0.0, 1e3},
};

/* The first is the default. */
static const uint32_t integrators[] = {
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
    .name = "new-plant",
    /* A change of the equations changes it: saved controllers name the version that they were trained on. */
    .version = "1",
    .summary = "A pendulum with friction, brought to rest by a torque.",
    .states = states,
    .controls = controls,
    .observations = states,
    .parameters = parameters,
    .integrators = integrators,
    .step_s = 0.02,
    .sample_time_s = 0.1,
};

/*
 * What it looks like in reports: shapes in frames that move with the state. It may be left out, with the line of
 * BITLOOP_PICTURE below. Frames count from 1, since 0 is the plane; y points upward. The rod hangs down where theta is 0, and
 * turns counterclockwise.
 */
enum { PLANE, ROD };
#define ROD_END BITLOOP_FIXED(0.0), BITLOOP_PARAMETER_OF(0.0, -1.0, LENGTH)

static const BitloopFrame frames[] = {
    {PLANE, BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), BITLOOP_STATE_OF(0.0, 1.0, THETA)},
};

static const BitloopNumber target[] = {
    BITLOOP_FIXED(0.0), BITLOOP_FIXED(-0.2), BITLOOP_FIXED(0.0), BITLOOP_FIXED(-1.4)};
static const BitloopNumber rod[] = {BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), ROD_END};
static const BitloopNumber mass[] = {ROD_END, BITLOOP_FIXED(0.1)};
/* The torque, as the force that it has at the rod's end. */
static const BitloopNumber push[] = {
    ROD_END, BITLOOP_CONTROL_OF(0.0, 0.15, TORQUE), BITLOOP_PARAMETER_OF(0.0, -1.0, LENGTH)};
static const BitloopNumber pivot[] = {
    BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.0), BITLOOP_FIXED(0.06)};

static const BitloopShape shapes[] = {
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_TARGET, target),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_MOVING, rod),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_CIRCLE, BITLOOP_ROLE_MOVING, mass),
    BITLOOP_SHAPE(ROD, BITLOOP_SHAPE_LINE, BITLOOP_ROLE_FORCE, push),
    BITLOOP_SHAPE(PLANE, BITLOOP_SHAPE_CIRCLE, BITLOOP_ROLE_GROUND, pivot),
};

static const BitloopPicture picture = {
    .struct_size = sizeof(BitloopPicture),
    .n_frames = BITLOOP_COUNT(frames),
    .n_shapes = BITLOOP_COUNT(shapes),
    .left = -1.5,
    .right = 1.5,
    .bottom = -1.5,
    .top = 1.5,
    .frames = frames,
    .shapes = shapes,
};

BITLOOP_PLANT_NAME("new-plant")

/* These make the plant. */
#define BITLOOP_DESCRIPTION description
#define BITLOOP_PICTURE picture
#define BITLOOP_EQUATIONS "equations.h"
#include "bitloop_vectors.h"
