/*
 * A task of Gymnasium as a plant: the state is qpos and qvel, so that each call is a function of its arguments; mjData is
 * working memory of a thread.
 *
 * A task is a file that defines a Task, and ends with TASK(task). The model is a part of the library: MODEL_FILE names it.
 */
#ifndef TASK_H
#define TASK_H

#include <math.h>
#include <string.h>

#include "bitloop_plant.h"
#include "guard.h"

enum { MAX_VECTOR = 32 };

/* What a step has come to. */
typedef struct Step {
    const mjModel *model;
    /* After the step. */
    const mjData *data;
    /* qpos before it. */
    const double *before;
    double step_s;
} Step;

typedef struct Task {
    const char *name;
    const char *summary;
    /* Steps of the model in one step of the plant, which is the control period. */
    int frame_skip;
    /* The stage cost is offset - reward, or 0 where that is negative. It is what a failed episode is charged, too. */
    double offset;
    /* Positions that are not observed, from the first on. */
    int n_hidden;
    /* What a controller sees as 1. */
    double position_scale, velocity_scale;
    /* Velocities are observed within this bound of both signs. */
    double most_velocity;
    double (*reward)(const Step *step, int is_healthy);
    /* NULL where every state is healthy. */
    int (*is_healthy)(const Step *step);
    /* Numbers of the last step that observations need, behind qpos and qvel; NULL for none. */
    const BitloopVariable *kept;
    int n_kept;
    void (*keep)(const mjData *data, double *kept);
    /* Observations other than positions and velocities; NULL for these. */
    const BitloopVariable *observations;
    int n_observations;
    void (*observe)(const double *x, double *y);
} Task;

/* The sum of the squares of the controls. */
static inline double control_effort(const Step *step) {
    double sum = 0.0;
    int i;
    for (i = 0; i < step->model->nu; i++) sum += step->data->ctrl[i] * step->data->ctrl[i];
    return sum;
}

/* How fast the first position grew over a step. */
static inline double forward_velocity(const Step *step) {
    return (step->data->qpos[0] - step->before[0]) / step->step_s;
}

/* The file of the model. */
__asm__(".pushsection .rodata\n"
        ".global task_model_begin\n.hidden task_model_begin\n"
        ".global task_model_end\n.hidden task_model_end\n"
        "task_model_begin:\n.incbin \"" MODEL_FILE "\"\ntask_model_end:\n"
        ".popsection\n");
extern const char task_model_begin[] __attribute__((visibility("hidden")));
extern const char task_model_end[] __attribute__((visibility("hidden")));

/* The plant, once it is opened. */
typedef struct Opened {
    const Task *task;
    mjModel *model;
    char error[200];
    char texts[3 * MAX_VECTOR][BITLOOP_MAX_NAME_BYTES + 1];
    int n_texts;
    BitloopVariable states[2 * MAX_VECTOR], controls[MAX_VECTOR], observations[2 * MAX_VECTOR];
    uint32_t integrator;
    BitloopDescription description;
} Opened;

static Opened opened;
static pthread_key_t key_of_data;

/* A text such as "hinge velocity" that stays. */
static const char *text_of(const char *first, const char *second) {
    char *const text = opened.texts[opened.n_texts++];
    snprintf(text, sizeof opened.texts[0], "%s%s", first, second);
    return text;
}

static void drop_data(void *data) { mj_deleteData((mjData *)data); }

static BitloopVariable variable_of(const char *name, const char *unit, double scale, double start) {
    const BitloopVariable variable = {name, unit, -INFINITY, INFINITY, 0.0, scale, start};
    return variable;
}

/* Names and sizes of the plant from those of the model. */
static void describe_model(void) {
    const mjModel *const model = opened.model;
    const Task *const task = opened.task;
    BitloopDescription *const plant = &opened.description;
    const double step_s = task->frame_skip * model->opt.timestep;
    int i, n_x = 0, n_y = 0;
    for (i = 0; i < model->nq; i++) {
        const char *const name = mj_id2name(model, mjOBJ_JOINT, i);
        const char *const unit = model->jnt_type[i] == mjJNT_SLIDE ? "m" : "rad";
        opened.states[n_x++] =
            variable_of(text_of(name, ""), unit, task->position_scale, model->qpos0[i]);
    }
    for (i = 0; i < model->nv; i++) {
        const char *const name = mj_id2name(model, mjOBJ_JOINT, i);
        const char *const unit = model->jnt_type[i] == mjJNT_SLIDE ? "m/s" : "rad/s";
        opened.states[n_x++] =
            variable_of(text_of(name, " velocity"), unit, task->velocity_scale, 0.0);
    }
    for (i = 0; i < task->n_kept; i++) opened.states[n_x++] = task->kept[i];
    for (i = 0; i < model->nu; i++) {
        const double *const range = model->actuator_ctrlrange + 2 * i;
        const char *const joint = mj_id2name(model, mjOBJ_JOINT, model->actuator_trnid[2 * i]);
        const BitloopVariable control = {
            text_of(joint, " motor"),       "1", range[0], range[1], 0.5 * (range[0] + range[1]),
            0.5 * (range[1] - range[0]), 0.0};
        opened.controls[i] = control;
    }
    if (task->observations != NULL) {
        for (; n_y < task->n_observations; n_y++) opened.observations[n_y] = task->observations[n_y];
    } else {
        for (i = task->n_hidden; i < model->nq + model->nv; i++) {
            opened.observations[n_y++] = opened.states[i];
        }
    }
    plant->struct_size = sizeof *plant;
    plant->n_states = (uint32_t)n_x;
    plant->n_controls = (uint32_t)model->nu;
    plant->n_observations = (uint32_t)n_y;
    plant->n_integrators = 1;
    plant->name = task->name;
    plant->version = mj_versionString();
    plant->summary = task->summary;
    plant->states = opened.states;
    plant->controls = opened.controls;
    plant->observations = opened.observations;
    plant->integrators = &opened.integrator;
    plant->step_s = step_s;
    plant->sample_time_s = step_s;
}

/* Reads the model that is a part of the library. */
static void load_model(void *unused) {
    mjVFS files;
    (void)unused;
    mj_defaultVFS(&files);
    mj_addBufferVFS(&files, "model.xml", task_model_begin,
                    (int)(task_model_end - task_model_begin));
    opened.model = mj_loadXML("model.xml", &files, opened.error, sizeof opened.error);
    mj_deleteVFS(&files);
    if (opened.model == NULL) return;
    keep_no_state(opened.model);
    if (opened.model->nq != opened.model->nv || opened.model->na > 0 ||
        opened.model->nq > MAX_VECTOR || opened.model->nu > MAX_VECTOR || opened.model->nu < 1) {
        snprintf(opened.error, sizeof opened.error,
                 "the model has no actuator, or joints other than slides and hinges");
        return;
    }
    describe_model();
}

static void open_plant(void) {
    Guard guard;
    guard_install();
    if (mj_version() != mjVERSION_HEADER) {
        snprintf(opened.error, sizeof opened.error, "it was built for MuJoCo %d, and %d is loaded",
                 mjVERSION_HEADER, mj_version());
        return;
    }
    opened.integrator = BITLOOP_INTEGRATOR_PLANT_STEP;
    pthread_key_create(&key_of_data, drop_data);
    if (!guard_run(&guard, load_model, NULL)) {
        snprintf(opened.error, sizeof opened.error, "%s", guard.text);
    }
}

static void write_text(char *to, uint32_t size, const char *text) {
    if (to != NULL && size > 0) snprintf(to, size, "%s", text);
}

/* The lanes of a call, and the memory of its thread. */
typedef struct Call {
    BitloopBatch *batch;
    mjData *data;
    int n_substeps;
} Call;

/* Puts a lane's state into the memory of the thread; 0 if it is none. */
static int load_lane(const Call *call, uint32_t lane, double *x) {
    const uint32_t n = opened.description.n_states, stride = call->batch->stride;
    const mjModel *const model = opened.model;
    mjData *const data = call->data;
    uint32_t i;
    for (i = 0; i < n; i++) x[i] = call->batch->state[(size_t)i * stride + lane];
    if (!are_sound(x, (int)n)) return 0;
    data->time = 0.0;
    for (i = 0; i < (uint32_t)mjNWARNING; i++) data->warning[i].number = 0;
    memcpy(data->qpos, x, sizeof(double) * (size_t)model->nq);
    memcpy(data->qvel, x + model->nq, sizeof(double) * (size_t)model->nv);
    return 1;
}

/* One step of the plant from x, which it writes; gives the stage cost, NAN where there is none. */
static double step_lane(const Call *call, double *x, int *is_healthy) {
    const mjModel *const model = opened.model;
    const Task *const task = opened.task;
    mjData *const data = call->data;
    double before[MAX_VECTOR], cost;
    const Step step = {model, data, before, call->batch->step_s};
    int i;
    memcpy(before, x, sizeof(double) * (size_t)model->nq);
    for (i = 0; i < call->n_substeps; i++) mj_step(model, data);
    memcpy(x, data->qpos, sizeof(double) * (size_t)model->nq);
    memcpy(x + model->nq, data->qvel, sizeof(double) * (size_t)model->nv);
    if (task->keep != NULL) task->keep(data, x + model->nq + model->nv);
    *is_healthy = 1;
    if (is_lost(data) || !are_sound(x, (int)opened.description.n_states)) return NAN;
    *is_healthy = task->is_healthy == NULL || task->is_healthy(&step);
    cost = task->offset - task->reward(&step, *is_healthy);
    return cost >= 0.0 || cost != cost ? cost : 0.0;
}

static void advance_lanes(void *of) {
    const Call *const call = (const Call *)of;
    BitloopBatch *const batch = call->batch;
    const uint32_t stride = batch->stride, n_x = opened.description.n_states;
    double x[2 * MAX_VECTOR];
    uint32_t lane, done, i;
    for (lane = 0; lane < batch->n_lanes; lane++) {
        double cost = batch->cost[lane];
        int is_sound = load_lane(call, lane, x);
        for (i = 0; i < (uint32_t)opened.model->nu; i++) {
            call->data->ctrl[i] = batch->control[(size_t)i * stride + lane];
        }
        is_sound = is_sound && are_sound(call->data->ctrl, opened.model->nu);
        if (!is_sound) {
            for (i = 0; i < n_x; i++) x[i] = NAN;
        }
        for (done = 1; done <= batch->n_steps; done++) {
            int is_healthy = 1;
            const double stage_cost = is_sound ? step_lane(call, x, &is_healthy) : NAN;
            if (!(stage_cost >= 0.0) || !is_healthy) {
                batch->end_step[lane] = done;
                batch->end_cost[lane] = stage_cost;
                break;
            }
            if (batch->counts_cost) cost += stage_cost;
        }
        batch->cost[lane] = cost;
        for (i = 0; i < n_x; i++) batch->state[(size_t)i * stride + lane] = x[i];
    }
}

/* The memory of this thread, which it keeps until it ends. */
static mjData *data_of_thread(void) {
    mjData *data = (mjData *)pthread_getspecific(key_of_data);
    if (data == NULL) {
        data = mj_makeData(opened.model);
        pthread_setspecific(key_of_data, data);
    }
    return data;
}

static int32_t advance(BitloopBatch *batch) {
    Guard guard;
    Call call = {batch, data_of_thread(), 0};
    const double ratio = batch->step_s / opened.model->opt.timestep;
    call.n_substeps = ratio >= 0.5 && ratio < 1e6 ? (int)(ratio + 0.5) : 0;
    if (batch->integrator != BITLOOP_INTEGRATOR_PLANT_STEP || call.n_substeps < 1 ||
        fabs(ratio - call.n_substeps) > 1e-6) {
        write_text(batch->message, batch->message_size,
                   "a step is a whole number of the model's own timesteps");
        return BITLOOP_STATUS_BAD_CALL;
    }
    if (call.data == NULL) {
        write_text(batch->message, batch->message_size, "no memory");
        return BITLOOP_STATUS_PANIC;
    }
    if (guard_run(&guard, advance_lanes, &call)) return BITLOOP_STATUS_OK;
    /* What is left of it is in no defined state. */
    pthread_setspecific(key_of_data, NULL);
    write_text(batch->message, batch->message_size, guard.text);
    return BITLOOP_STATUS_PANIC;
}

static int32_t observe(BitloopBatch *batch) {
    const Task *const task = opened.task;
    const uint32_t n_x = opened.description.n_states, n_y = opened.description.n_observations;
    double x[2 * MAX_VECTOR], y[2 * MAX_VECTOR];
    uint32_t lane, i;
    for (lane = 0; lane < batch->n_lanes; lane++) {
        for (i = 0; i < n_x; i++) x[i] = batch->state[(size_t)i * batch->stride + lane];
        if (task->observe != NULL) {
            task->observe(x, y);
        } else {
            for (i = 0; i < n_y; i++) {
                const double value = x[i + (uint32_t)task->n_hidden];
                const int is_velocity = i + (uint32_t)task->n_hidden >= (uint32_t)opened.model->nq;
                const double most = is_velocity ? task->most_velocity : INFINITY;
                y[i] = value > most ? most : value < -most ? -most : value;
            }
        }
        for (i = 0; i < n_y; i++) batch->observation[(size_t)i * batch->stride + lane] = y[i];
    }
    return BITLOOP_STATUS_OK;
}

/* The same for all lanes. */
static int32_t end_cost(BitloopBatch *batch, double cost) {
    uint32_t lane;
    for (lane = 0; lane < batch->n_lanes; lane++) batch->end_cost[lane] = cost;
    return BITLOOP_STATUS_OK;
}

static int32_t terminal_cost(BitloopBatch *batch) { return end_cost(batch, 0.0); }
static int32_t failure_cost(BitloopBatch *batch) { return end_cost(batch, opened.task->offset); }

static const BitloopDescription *describe(const uint64_t *structure, uint32_t n_structure,
                                          char *message, uint32_t message_size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)structure, (void)n_structure;
    pthread_once(&once, open_plant);
    if (opened.description.struct_size != 0) return &opened.description;
    write_text(message, message_size, opened.error);
    return NULL;
}

/* Exports the plant of a Task. */
#define TASK(of, name_of_it)                                                                       \
    BITLOOP_EXPORT const BitloopDescriptor *bitloop_plant_v1(void) {                               \
        static const BitloopDescriptor descriptor = {                                              \
            BITLOOP_ABI_VERSION,                                                                   \
            sizeof(BitloopDescriptor),                                                             \
            sizeof(BitloopBatch),                                                                  \
            BITLOOP_CAPABILITY_PORTABLE | BITLOOP_CAPABILITY_LANE_BY_LANE |                        \
                BITLOOP_CAPABILITY_MACHINE_BITS,                                                   \
            describe,                                                                              \
            NULL,                                                                                  \
            NULL,                                                                                  \
            advance,                                                                               \
            observe,                                                                               \
            terminal_cost,                                                                         \
            failure_cost,                                                                          \
        };                                                                                         \
        opened.task = &(of);                                                                       \
        return &descriptor;                                                                        \
    }                                                                                              \
    BITLOOP_PLANT_NAME(name_of_it)

#endif /* TASK_H */
