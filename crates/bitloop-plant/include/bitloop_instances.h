/*
 * A plant that owns its state, out of plain C functions on one slot. C99 or C++.
 *
 * Write the functions, a BitloopDescription whose only integrator is BITLOOP_INTEGRATOR_PLANT_STEP, a BitloopSlots, and last
 *
 *     BITLOOP_INSTANCES(description, slots)
 *
 * which exports the plant. Slots are served one after the other. A simulator that serves many at once, or has structural
 * parameters, fills in a BitloopInstancesPart and a BitloopDescriptor by itself.
 */
#ifndef BITLOOP_INSTANCES_H
#define BITLOOP_INSTANCES_H

#include <stdlib.h>

#include "bitloop_equations.h"

/*
 What a plant does in one slot, where `slot` points to `bytes` bytes that are its own: zeros when the slot is made, and left
 alone by the host. A function that gives a text could not do its work, for that reason; NULL is success.
 */
typedef struct BitloopSlots {
    size_t bytes;
    /* 1 if these bytes are the whole state, without pointers, so that states are copies of them; else 0. */
    int is_plain;
    /* Makes what the slot needs, such as memory; may be NULL. */
    const char *(*make)(void *slot);
    /* Gives it back; may be NULL. */
    void (*drop)(void *slot);
    /* Begins an episode from the values in x, with these parameters, and writes the state that is shown to x. */
    const char *(*begin)(void *slot, uint64_t seed, const double *p, double *x,
                         const BitloopMath *math);
    /* Advances by a step from `time_s`, and writes the state that is shown to x, NAN where there is none. */
    const char *(*step)(void *slot, double time_s, double step_s, const double *u, double *x,
                        const BitloopMath *math);
    /* Writes the observations. */
    void (*observe)(void *slot, double time_s, double *y, const BitloopMath *math);
    /* The stage cost after a step under u, 0 or more; NAN if the state is lost. */
    double (*stage_cost)(void *slot, double time_s, const double *u, const BitloopMath *math);
    /* Whether the episode has failed; may be NULL. */
    int (*failed)(void *slot, double time_s);
    /* The cost of ending here, 0 or more; may be NULL. */
    double (*terminal_cost)(void *slot);
    /* What a failed episode is charged per step, 0 or more; may be NULL. */
    double (*failure_cost)(const double *p);
} BitloopSlots;

/* The rest is what BITLOOP_INSTANCES is made of. */

/* A worker: its slots, one after the other. */
typedef struct BitloopSlotWorker {
    uint32_t n_slots;
    char *bytes;
} BitloopSlotWorker;

static inline void *bitloop_slot(const BitloopSlots *slots, void *worker, uint32_t slot) {
    return ((BitloopSlotWorker *)worker)->bytes + (size_t)slot * slots->bytes;
}

static inline void bitloop_drop_slots(const BitloopSlots *slots, void *worker) {
    BitloopSlotWorker *const all = (BitloopSlotWorker *)worker;
    uint32_t i;
    for (i = 0; slots->drop != NULL && i < all->n_slots; i++) {
        slots->drop(bitloop_slot(slots, worker, i));
    }
    free(all->bytes);
    free(all);
}

static inline void *bitloop_make_slots(const BitloopSlots *slots, uint32_t n_slots, char *message,
                                       uint32_t message_size) {
    BitloopSlotWorker *const all = (BitloopSlotWorker *)calloc(1, sizeof(BitloopSlotWorker));
    const char *reason = "no memory";
    if (all == NULL) return bitloop_write_text(message, message_size, reason), (void *)NULL;
    all->bytes = (char *)calloc(n_slots, slots->bytes);
    while (all->bytes != NULL && all->n_slots < n_slots) {
        reason = slots->make == NULL ? NULL : slots->make(bitloop_slot(slots, all, all->n_slots));
        if (reason != NULL) break;
        all->n_slots++;
    }
    if (all->bytes != NULL && all->n_slots == n_slots) return all;
    /* The text may be in a slot. */
    bitloop_write_text(message, message_size, reason);
    bitloop_drop_slots(slots, all);
    return NULL;
}

static inline void bitloop_read_lane(double *to, const double *matrix, uint32_t n, uint32_t stride,
                                     uint32_t lane) {
    uint32_t i;
    for (i = 0; i < n; i++) to[i] = matrix[(size_t)i * stride + lane];
}

static inline void bitloop_write_lane(const double *from, double *matrix, uint32_t n,
                                      uint32_t stride, uint32_t lane) {
    uint32_t i;
    for (i = 0; i < n; i++) matrix[(size_t)i * stride + lane] = from[i];
}

static inline int32_t bitloop_broken(BitloopBatch *batch, const char *reason) {
    bitloop_write_text(batch->message, batch->message_size, reason);
    return BITLOOP_STATUS_PANIC;
}

static inline int32_t bitloop_begin_slots(const BitloopDescription *plant, const BitloopSlots *slots,
                                          void *worker, const uint32_t *names,
                                          const uint64_t *seeds, BitloopBatch *batch) {
    double x[BITLOOP_MAX_VARIABLES], p[BITLOOP_MAX_VARIABLES];
    uint32_t lane;
    for (lane = 0; lane < batch->n_lanes; lane++) {
        const char *reason;
        bitloop_read_lane(x, batch->state, plant->n_states, batch->stride, lane);
        bitloop_read_lane(p, batch->parameters, plant->n_parameters, batch->stride, lane);
        reason = slots->begin(bitloop_slot(slots, worker, names[lane]), seeds[lane], p, x,
                              batch->math);
        if (reason != NULL) return bitloop_broken(batch, reason);
        bitloop_write_lane(x, batch->state, plant->n_states, batch->stride, lane);
    }
    return BITLOOP_STATUS_OK;
}

static inline int32_t bitloop_observe_slots(const BitloopDescription *plant,
                                            const BitloopSlots *slots, void *worker,
                                            const uint32_t *names, BitloopBatch *batch) {
    double y[BITLOOP_MAX_VARIABLES];
    uint32_t lane;
    for (lane = 0; lane < batch->n_lanes; lane++) {
        slots->observe(bitloop_slot(slots, worker, names[lane]),
                       (double)batch->tick * batch->step_s, y, batch->math);
        bitloop_write_lane(y, batch->observation, plant->n_observations, batch->stride, lane);
    }
    return BITLOOP_STATUS_OK;
}

static inline int32_t bitloop_advance_slots(const BitloopDescription *plant,
                                            const BitloopSlots *slots, void *worker,
                                            const uint32_t *names, BitloopBatch *batch) {
    double x[BITLOOP_MAX_VARIABLES], u[BITLOOP_MAX_VARIABLES];
    uint32_t lane, done;
    if (batch->integrator != BITLOOP_INTEGRATOR_PLANT_STEP) return BITLOOP_STATUS_BAD_CALL;
    for (lane = 0; lane < batch->n_lanes; lane++) {
        void *const slot = bitloop_slot(slots, worker, names[lane]);
        double cost = batch->cost[lane];
        bitloop_read_lane(x, batch->state, plant->n_states, batch->stride, lane);
        bitloop_read_lane(u, batch->control, plant->n_controls, batch->stride, lane);
        for (done = 1; done <= batch->n_steps; done++) {
            const double before_s = (double)(batch->tick + done - 1) * batch->step_s;
            const double now_s = (double)(batch->tick + done) * batch->step_s;
            const char *const reason = slots->step(slot, before_s, batch->step_s, u, x, batch->math);
            double stage_cost;
            if (reason != NULL) return bitloop_broken(batch, reason);
            stage_cost = slots->stage_cost(slot, now_s, u, batch->math);
            if (!(stage_cost >= 0.0) || (slots->failed != NULL && slots->failed(slot, now_s))) {
                batch->end_step[lane] = done;
                batch->end_cost[lane] = stage_cost;
                break;
            }
            if (batch->counts_cost) cost += stage_cost;
        }
        batch->cost[lane] = cost;
        bitloop_write_lane(x, batch->state, plant->n_states, batch->stride, lane);
    }
    return BITLOOP_STATUS_OK;
}

static inline int32_t bitloop_terminal_cost_slots(const BitloopSlots *slots, void *worker,
                                                  const uint32_t *names, BitloopBatch *batch) {
    uint32_t lane;
    for (lane = 0; lane < batch->n_lanes; lane++) {
        void *const slot = bitloop_slot(slots, worker, names[lane]);
        batch->end_cost[lane] = slots->terminal_cost == NULL ? 0.0 : slots->terminal_cost(slot);
    }
    return BITLOOP_STATUS_OK;
}

static inline int32_t bitloop_failure_cost_slots(const BitloopDescription *plant,
                                                 const BitloopSlots *slots, BitloopBatch *batch) {
    double p[BITLOOP_MAX_VARIABLES];
    uint32_t lane;
    for (lane = 0; lane < batch->n_lanes; lane++) {
        bitloop_read_lane(p, batch->parameters, plant->n_parameters, batch->stride, lane);
        batch->end_cost[lane] = slots->failure_cost == NULL ? 0.0 : slots->failure_cost(p);
    }
    return BITLOOP_STATUS_OK;
}

/* What the functions of pure plants answer. */
static inline int32_t bitloop_owns_its_state(BitloopBatch *batch) {
    return bitloop_refuse(batch, "the plant owns its state, which this program does not know of");
}

/* Exports the plant of a static BitloopDescription and a static BitloopSlots, once in a library. */
#define BITLOOP_INSTANCES(description, slots)                                                      \
    static void *bitloop_make_it(const uint64_t *structure, uint32_t n_structure,                  \
                                 uint32_t n_slots, char *message, uint32_t message_size) {         \
        (void)structure, (void)n_structure;                                                        \
        return bitloop_make_slots(&(slots), n_slots, message, message_size);                       \
    }                                                                                              \
    static void bitloop_drop_it(void *worker) { bitloop_drop_slots(&(slots), worker); }            \
    static int32_t bitloop_begin_it(void *worker, const uint32_t *names, const uint64_t *seeds,    \
                                    BitloopBatch *batch) {                                         \
        return bitloop_begin_slots(&(description), &(slots), worker, names, seeds, batch);         \
    }                                                                                              \
    static int32_t bitloop_observe_it(void *worker, const uint32_t *names, BitloopBatch *batch) {  \
        return bitloop_observe_slots(&(description), &(slots), worker, names, batch);              \
    }                                                                                              \
    static int32_t bitloop_advance_it(void *worker, const uint32_t *names, BitloopBatch *batch) {  \
        return bitloop_advance_slots(&(description), &(slots), worker, names, batch);              \
    }                                                                                              \
    static int32_t bitloop_terminal_cost_it(void *worker, const uint32_t *names,                   \
                                            BitloopBatch *batch) {                                 \
        return bitloop_terminal_cost_slots(&(slots), worker, names, batch);                        \
    }                                                                                              \
    static int32_t bitloop_failure_cost_it(BitloopBatch *batch) {                                  \
        return bitloop_failure_cost_slots(&(description), &(slots), batch);                        \
    }                                                                                              \
    static uint64_t bitloop_state_size_it(void *worker) {                                          \
        (void)worker;                                                                              \
        return (slots).bytes;                                                                      \
    }                                                                                              \
    static int32_t bitloop_get_state_it(void *worker, uint32_t slot, void *state) {                \
        memcpy(state, bitloop_slot(&(slots), worker, slot), (slots).bytes);                        \
        return BITLOOP_STATUS_OK;                                                                  \
    }                                                                                              \
    static int32_t bitloop_set_state_it(void *worker, uint32_t slot, const void *state) {          \
        memcpy(bitloop_slot(&(slots), worker, slot), state, (slots).bytes);                        \
        return BITLOOP_STATUS_OK;                                                                  \
    }                                                                                              \
    static const void *bitloop_optional_part_it(const char *id) {                                  \
        static const BitloopInstancesPart plain = {                                                \
            sizeof(BitloopInstancesPart), 0,                                                       \
            bitloop_make_it,              bitloop_drop_it,                                         \
            bitloop_begin_it,             bitloop_observe_it,                                      \
            bitloop_advance_it,           bitloop_terminal_cost_it,                                \
            bitloop_state_size_it,        bitloop_get_state_it,                                    \
            bitloop_set_state_it,                                                                  \
        };                                                                                         \
        static const BitloopInstancesPart hidden = {                                               \
            sizeof(BitloopInstancesPart), 0,                                                       \
            bitloop_make_it,              bitloop_drop_it,                                         \
            bitloop_begin_it,             bitloop_observe_it,                                      \
            bitloop_advance_it,           bitloop_terminal_cost_it,                                \
            NULL,                         NULL,                                                    \
            NULL,                                                                                  \
        };                                                                                         \
        if (!bitloop_is_same(id, BITLOOP_INSTANCES_PART)) return NULL;                             \
        return (slots).is_plain ? &plain : &hidden;                                                \
    }                                                                                              \
    BITLOOP_EXPORT_PLANT(description,                                                              \
                         BITLOOP_CAPABILITY_PORTABLE | BITLOOP_CAPABILITY_LANE_BY_LANE,            \
                         bitloop_optional_part_it, bitloop_owns_its_state, bitloop_owns_its_state, \
                         bitloop_owns_its_state, bitloop_failure_cost_it)

#endif /* BITLOOP_INSTANCES_H */
