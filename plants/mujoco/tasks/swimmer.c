/* Gymnasium's Swimmer-v5: a chain of three links swims forward. Nothing ends an episode. */
#include "task.h"

static double reward(const Step *step, int is_healthy) {
    (void)is_healthy;
    return forward_velocity(step) - 1e-4 * control_effort(step);
}

static const Task task = {
    .name = "mujoco-swimmer",
    .summary = "Swimmer-v5 of Gymnasium in MuJoCo; a step costs 5 - reward.",
    .frame_skip = 4,
    .offset = 5.0,
    .n_hidden = 2,
    .position_scale = 1.0,
    .velocity_scale = 2.0,
    .most_velocity = INFINITY,
    .reward = reward,
};

TASK(task, "mujoco-swimmer")
