/*
 * A shower behind a long pipe, as a plant that owns its state: the host has no state vector of it.
 *
 * What is in the pipe, slug by slug, and the water that others draw are in a slot of this library's own. See README.md.
 */
#include "bitloop_instances.h"

/* Slugs of water in the pipe: one leaves the shower head with each step. */
enum { N_SLUGS = 30 };

enum { OUTLET, VALVE };
enum { LOOK_OUTLET, LOOK_MIXED, LOOK_VALVE };
enum { TARGET, HOT, COLD, FALL };

/* All that an episode is. No pointers, so that a copy of the bytes is a copy of the state. */
typedef struct Shower {
    uint64_t chance;
    double slug_degc[N_SLUGS];
    double valve;
    double mixed_degc;
    double outlet_degc;
    double fallen_degc;
    double target_degc, hot_degc, cold_degc, fall_degc;
    uint32_t last;
    uint32_t steps_to_change;
} Shower;

/* The next word of a stream of random numbers that begins with the seed (SplitMix64). */
static uint64_t word(Shower *shower) {
    uint64_t z = (shower->chance += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number in [0, 1). */
static double share(Shower *shower) { return (double)(word(shower) >> 11) * 0x1p-53; }

/* Somebody opens or closes another tap: the hot water falls by some degrees, for 3 to 9 s. */
static void change(Shower *shower) {
    shower->fallen_degc = shower->fall_degc * share(shower);
    shower->steps_to_change = 60 + (uint32_t)(word(shower) % 121);
}

static void mix(Shower *shower) {
    const double hot_degc = shower->hot_degc - shower->fallen_degc;
    shower->mixed_degc = shower->cold_degc + shower->valve * (hot_degc - shower->cold_degc);
}

static const char *begin(void *slot, uint64_t seed, const double *p, double *x,
                         const BitloopMath *math) {
    Shower *const shower = slot;
    uint32_t i;
    (void)math;
    memset(shower, 0, sizeof *shower);
    shower->chance = seed;
    shower->target_degc = p[TARGET];
    shower->hot_degc = p[HOT];
    shower->cold_degc = p[COLD];
    shower->fall_degc = p[FALL];
    shower->valve = x[VALVE];
    shower->outlet_degc = x[OUTLET];
    for (i = 0; i < N_SLUGS; i++) shower->slug_degc[i] = x[OUTLET];
    change(shower);
    mix(shower);
    return NULL;
}

static const char *step(void *slot, double time_s, double step_s, const double *u, double *x,
                        const BitloopMath *math) {
    Shower *const shower = slot;
    (void)time_s, (void)math;
    /* The valve follows with a time constant of 0.2 s. */
    shower->valve += 5.0 * step_s * (u[0] - shower->valve);
    if (--shower->steps_to_change == 0) change(shower);
    mix(shower);
    shower->outlet_degc = shower->slug_degc[shower->last];
    shower->slug_degc[shower->last] = shower->mixed_degc;
    shower->last = (shower->last + 1) % N_SLUGS;
    x[OUTLET] = shower->outlet_degc;
    x[VALVE] = shower->valve;
    return NULL;
}

static void observe(void *slot, double time_s, double *y, const BitloopMath *math) {
    const Shower *const shower = slot;
    (void)time_s, (void)math;
    y[LOOK_OUTLET] = shower->outlet_degc;
    y[LOOK_MIXED] = shower->mixed_degc;
    y[LOOK_VALVE] = shower->valve;
}

static double stage_cost(void *slot, double time_s, const double *u, const BitloopMath *math) {
    const Shower *const shower = slot;
    const double error = shower->outlet_degc - shower->target_degc;
    (void)time_s, (void)u, (void)math;
    return error * error;
}

/* Water that scalds ends a shower. */
static int failed(void *slot, double time_s) {
    (void)time_s;
    return ((Shower *)slot)->outlet_degc > 50.0;
}

static double failure_cost(const double *p) {
    (void)p;
    return 400.0;
}

static const BitloopVariable states[] = {
    /* name, unit, min, max, center, scale, start */
    {"outlet", "degC", 0.0, 100.0, 38.0, 10.0, 15.0},
    {"valve", "", 0.0, 1.0, 0.5, 0.5, 0.5},
};
static const BitloopVariable controls[] = {{"opening", "", 0.0, 1.0, 0.5, 0.5, 0.0}};
static const BitloopVariable observations[] = {
    {"outlet", "degC", 0.0, 100.0, 38.0, 10.0, 0.0},
    {"mixed", "degC", 0.0, 100.0, 38.0, 10.0, 0.0},
    {"valve position", "", 0.0, 1.0, 0.5, 0.5, 0.0},
};
static const BitloopParameter parameters[] = {
    {"target", "degC", "what the bather wants", 38.0, 20.0, 45.0},
    {"hot", "degC", "hot water while nobody else draws any", 60.0, 50.0, 70.0},
    {"cold", "degC", "cold water", 12.0, 5.0, 20.0},
    {"fall", "degC", "the most that other taps take from the hot water", 12.0, 0.0, 25.0},
};
static const uint32_t integrators[] = {BITLOOP_INTEGRATOR_PLANT_STEP};

static const BitloopDescription description = {
    .struct_size = sizeof(BitloopDescription),
    .n_states = BITLOOP_COUNT(states),
    .n_controls = BITLOOP_COUNT(controls),
    .n_observations = BITLOOP_COUNT(observations),
    .n_parameters = BITLOOP_COUNT(parameters),
    .n_integrators = BITLOOP_COUNT(integrators),
    .name = "shower-instances-c",
    .version = "1",
    .summary = "A shower behind a long pipe, whose hot water others draw too; it owns its state.",
    .states = states,
    .controls = controls,
    .observations = observations,
    .parameters = parameters,
    .integrators = integrators,
    .step_s = 0.05,
    .sample_time_s = 0.2,
};

static const BitloopSlots slots = {
    .bytes = sizeof(Shower),
    .is_plain = 1,
    .begin = begin,
    .step = step,
    .observe = observe,
    .stage_cost = stage_cost,
    .failed = failed,
    .failure_cost = failure_cost,
};

BITLOOP_INSTANCES(description, slots)
BITLOOP_PLANT_NAME("shower-instances-c")
