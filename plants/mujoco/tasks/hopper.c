/* Gymnasium's Hopper-v5: a leg hops forward, and has failed once its body is low or leans over. */
#include "task.h"

static int is_healthy(const Step *step) {
    const double *const q = step->data->qpos, *const v = step->data->qvel;
    int i;
    for (i = 2; i < step->model->nq; i++) {
        if (!(fabs(q[i]) < 100.0)) return 0;
    }
    for (i = 0; i < step->model->nv; i++) {
        if (!(fabs(v[i]) < 100.0)) return 0;
    }
    return q[1] > 0.7 && fabs(q[2]) < 0.2;
}

static double reward(const Step *step, int is_healthy_now) {
    return forward_velocity(step) + (is_healthy_now ? 1.0 : 0.0) - 1e-3 * control_effort(step);
}

static const Task task = {
    .name = "mujoco-hopper",
    .summary = "Hopper-v5 of Gymnasium in MuJoCo; a step costs 10 - reward.",
    .frame_skip = 4,
    .offset = 10.0,
    .n_hidden = 1,
    .position_scale = 1.0,
    .velocity_scale = 5.0,
    .most_velocity = 10.0,
    .reward = reward,
    .is_healthy = is_healthy,
};

TASK(task, "mujoco-hopper")
