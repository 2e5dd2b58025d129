/* Gymnasium's InvertedDoublePendulum-v5: two poles on a cart have failed once their tip is at 1 m or below. */
#include "task.h"

/* The site at the tip, where the last step of the model had it. */
static const double *tip(const Step *step) { return step->data->site_xpos; }

static int is_healthy(const Step *step) { return tip(step)[2] > 1.0; }

static double reward(const Step *step, int is_healthy_now) {
    const double x = tip(step)[0], above = tip(step)[2] - 2.0;
    const double v1 = step->data->qvel[1], v2 = step->data->qvel[2];
    const double distance = 0.01 * x * x + above * above;
    const double velocity = 1e-3 * v1 * v1 + 5e-3 * v2 * v2;
    return (is_healthy_now ? 10.0 : 0.0) - distance - velocity;
}

/* The force of the slider's limits, which is observed. */
static const BitloopVariable kept[] = {
    {"slider force", "N", -INFINITY, INFINITY, 0.0, 10.0, 0.0},
};

static void keep(const mjData *data, double *to) { to[0] = data->qfrc_constraint[0]; }

static const BitloopVariable observations[] = {
    {"slider", "m", -INFINITY, INFINITY, 0.0, 1.0, 0.0},
    {"sin hinge", "1", -1.0, 1.0, 0.0, 0.2, 0.0},
    {"sin hinge2", "1", -1.0, 1.0, 0.0, 0.2, 0.0},
    {"cos hinge", "1", -1.0, 1.0, 0.0, 1.0, 0.0},
    {"cos hinge2", "1", -1.0, 1.0, 0.0, 1.0, 0.0},
    {"slider velocity", "m/s", -10.0, 10.0, 0.0, 1.0, 0.0},
    {"hinge velocity", "rad/s", -10.0, 10.0, 0.0, 2.0, 0.0},
    {"hinge2 velocity", "rad/s", -10.0, 10.0, 0.0, 2.0, 0.0},
    {"slider force", "N", -10.0, 10.0, 0.0, 10.0, 0.0},
};

static double within(double value, double most) {
    return value > most ? most : value < -most ? -most : value;
}

static void look(const double *x, double *y) {
    int i;
    y[0] = x[0];
    for (i = 0; i < 2; i++) {
        y[1 + i] = sin(x[1 + i]);
        y[3 + i] = cos(x[1 + i]);
    }
    for (i = 0; i < 4; i++) y[5 + i] = within(x[3 + i], 10.0);
}

static const Task task = {
    .name = "mujoco-inverted-double-pendulum",
    .summary = "InvertedDoublePendulum-v5 of Gymnasium in MuJoCo; a step costs 10 - reward.",
    .frame_skip = 5,
    .offset = 10.0,
    .position_scale = 1.0,
    .velocity_scale = 2.0,
    .reward = reward,
    .is_healthy = is_healthy,
    .kept = kept,
    .n_kept = 1,
    .keep = keep,
    .observations = observations,
    .n_observations = 9,
    .observe = look,
};

TASK(task, "mujoco-inverted-double-pendulum")
