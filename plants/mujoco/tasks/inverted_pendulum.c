/* Gymnasium's InvertedPendulum-v5: a pole on a cart has failed once it leans by more than 0.2 rad. */
#include "task.h"

static int is_healthy(const Step *step) { return fabs(step->data->qpos[1]) <= 0.2; }

static double reward(const Step *step, int is_healthy_now) {
    (void)step;
    return is_healthy_now ? 1.0 : 0.0;
}

static const Task task = {
    .name = "mujoco-inverted-pendulum",
    .summary = "InvertedPendulum-v5 of Gymnasium in MuJoCo; a step costs 1 - reward.",
    .frame_skip = 2,
    .offset = 1.0,
    .position_scale = 0.2,
    .velocity_scale = 1.0,
    .most_velocity = INFINITY,
    .reward = reward,
    .is_healthy = is_healthy,
};

TASK(task, "mujoco-inverted-pendulum")
