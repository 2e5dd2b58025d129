/* Gymnasium's HalfCheetah-v5: a body with two legs runs forward. Nothing ends an episode. */
#include "task.h"

static double reward(const Step *step, int is_healthy) {
    (void)is_healthy;
    return forward_velocity(step) - 0.1 * control_effort(step);
}

static const Task task = {
    .name = "mujoco-half-cheetah",
    .summary = "HalfCheetah-v5 of Gymnasium in MuJoCo; a step costs 40 - reward.",
    .frame_skip = 5,
    .offset = 40.0,
    .n_hidden = 1,
    .position_scale = 1.0,
    .velocity_scale = 10.0,
    .most_velocity = INFINITY,
    .reward = reward,
};

TASK(task, "mujoco-half-cheetah")
