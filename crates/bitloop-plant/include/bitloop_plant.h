/*
 * The plant ABI of bitloop, version 1: what a library must export to be a plant. C99 or C++.
 *
 * Generated from the Rust side of the contract; do not edit. A plant whose equations are plain C functions needs
 * bitloop_vectors.h or bitloop_equations.h on top, which make the functions of a batch out of equations.
 *
 * Compile without fused or reordered arithmetic, so that results are the same bits on every machine:
 *
 *     cc -std=c99 -O2 -ffp-contract=off -fPIC -shared -o plant.so plant.c
 */

#ifndef BITLOOP_PLANT_H
#define BITLOOP_PLANT_H

#include <stdint.h>

#ifdef __cplusplus
#define BITLOOP_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define BITLOOP_EXPORT __attribute__((visibility("default")))
#endif

/*
 The longest name, unit or version, in bytes.
 */
#define BITLOOP_MAX_NAME_BYTES 64

/*
 The longest summary or meaning, in bytes.
 */
#define BITLOOP_MAX_TEXT_BYTES 1024

/*
 The most states, controls, observations or parameters that a plant of the SDK may have, each.
 */
#define BITLOOP_MAX_VARIABLES 256

/*
 Status: the call went well.
 */
#define BITLOOP_STATUS_OK 0

/*
 Status: the arguments do not fit the plant: an unknown integrator, a wrong size.
 */
#define BITLOOP_STATUS_BAD_CALL 1

/*
 Status: the plant broke, a Rust one by a panic; the reason is in `BitloopBatch.message`.
 */
#define BITLOOP_STATUS_PANIC 2

/*
 Integrator: `x += h f(t, x, u)`.
 */
#define BITLOOP_INTEGRATOR_EULER 0

/*
 Integrator: rates first, then positions with the new rates.
 */
#define BITLOOP_INTEGRATOR_SEMI_IMPLICIT_EULER 1

/*
 Integrator: the classical method of fourth order.
 */
#define BITLOOP_INTEGRATOR_RUNGE_KUTTA_4 2

/*
 Integrator: the plant's own discrete step.
 */
#define BITLOOP_INTEGRATOR_PLANT_STEP 3

/*
 The version of this contract. A host refuses a plant of another version.
 */
#define BITLOOP_ABI_VERSION 1

/*
 Capability: the plant runs on any processor of its architecture. Set by every plant.
 */
#define BITLOOP_CAPABILITY_PORTABLE 1

/*
 Capability: the plant has code for AVX2 with FMA, used where `BitloopBatch.isa` is 1.
 */
#define BITLOOP_CAPABILITY_AVX2 2

/*
 Capability: the plant has code for AVX-512, used where `BitloopBatch.isa` is 2.
 */
#define BITLOOP_CAPABILITY_AVX512 4

/*
 Capability: lanes are computed one after the other, in plain scalar code.
 */
#define BITLOOP_CAPABILITY_LANE_BY_LANE 8

/*
 Capability: the bits of the plant hold on one machine alone, since it calls mathematical functions of the system, has threads
 of its own, or the like. Programs then promise the same results on that machine, and nowhere else.
 */
#define BITLOOP_CAPABILITY_MACHINE_BITS 16

/*
 The most scratch memory that a plant may ask for, in bytes.
 */
#define BITLOOP_MAX_SCRATCH_BYTES (1 << 26)

/*
 The highest order that a plant may declare for its own step.
 */
#define BITLOOP_MAX_STEP_ORDER 16

/*
 The largest state of a slot, in bytes.
 */
#define BITLOOP_MAX_SLOT_BYTES (1 << 26)

/*
 What a term of a picture multiplies: a state.
 */
#define BITLOOP_PICTURE_STATE 1

/*
 What a term of a picture multiplies: an observation.
 */
#define BITLOOP_PICTURE_OBSERVATION 2

/*
 What a term of a picture multiplies: a control, as the plant gets it.
 */
#define BITLOOP_PICTURE_CONTROL 3

/*
 What a term of a picture multiplies: a parameter.
 */
#define BITLOOP_PICTURE_PARAMETER 4

/*
 Shape: a line, `x1, y1, x2, y2`.
 */
#define BITLOOP_SHAPE_LINE 1

/*
 Shape: a circle, `x, y` of its center and the radius.
 */
#define BITLOOP_SHAPE_CIRCLE 2

/*
 Shape: a rectangle, `x, y` of its lower left corner, width and height.
 */
#define BITLOOP_SHAPE_RECT 3

/*
 Shape: a line through 2 to 64 points, `x1, y1, x2, y2, ...`.
 */
#define BITLOOP_SHAPE_POLYLINE 4

/*
 Shape: a text, `x, y` of its middle and the height of its letters.
 */
#define BITLOOP_SHAPE_TEXT 5

/*
 Role: what stays where it is, such as rails, walls, pivots.
 */
#define BITLOOP_ROLE_GROUND 1

/*
 Role: a body that is carried along.
 */
#define BITLOOP_ROLE_BODY 2

/*
 Role: what is to be watched.
 */
#define BITLOOP_ROLE_MOVING 3

/*
 Role: where it is to be.
 */
#define BITLOOP_ROLE_TARGET 4

/*
 Role: what the controller does; lines are arrows.
 */
#define BITLOOP_ROLE_FORCE 5

/*
 A state, a control input, or an observation.
 */
typedef struct {
  /*
   Unique among the variables of its kind; at most `BITLOOP_MAX_NAME_BYTES`.
   */
  const char *name;
  /*
   As printed, such as "rad/s"; "" where there is none.
   */
  const char *unit;
  /*
   The least legal value, perhaps -INFINITY. A control is saturated here.
   */
  double min;
  /*
   The greatest legal value, perhaps INFINITY. A control is saturated here.
   */
  double max;
  /*
   The value that a controller sees as 0.
   */
  double center;
  /*
   The distance from `center` that a controller sees as 1; positive.
   */
  double scale;
  /*
   The value of a state at the start of an episode, unless a scenario says otherwise.
   It is read of states alone; controls and observations have any number here, such as 0.
   */
  double start;
} BitloopVariable;

/*
 A number that the equations use, which an episode may draw anew.
 */
typedef struct {
  /*
   Unique among the parameters; at most `BITLOOP_MAX_NAME_BYTES`.
   */
  const char *name;
  /*
   As printed, such as "kg"; "" where there is none.
   */
  const char *unit;
  /*
   What the parameter is; at most `BITLOOP_MAX_TEXT_BYTES`.
   */
  const char *meaning;
  /*
   Its value unless a scenario says otherwise.
   */
  double usual;
  /*
   The least legal value, perhaps -INFINITY.
   */
  double min;
  /*
   The greatest legal value, perhaps INFINITY.
   */
  double max;
} BitloopParameter;

/*
 A whole number that decides the sizes of a plant, such as the number of links of a chain.
 */
typedef struct {
  /*
   Unique among the structural parameters; at most `BITLOOP_MAX_NAME_BYTES`.
   */
  const char *name;
  /*
   What the number counts; at most `BITLOOP_MAX_TEXT_BYTES`.
   */
  const char *meaning;
  /*
   Its value unless a scenario says otherwise.
   */
  uint64_t usual;
  /*
   The least legal value.
   */
  uint64_t min;
  /*
   The greatest legal value.
   */
  uint64_t max;
} BitloopStructuralParameter;

/*
 The description of a plant. Texts are UTF-8, ended by 0, without control characters.
 */
typedef struct {
  /*
   `sizeof(BitloopDescription)`.
   */
  uint32_t struct_size;
  /*
   Length of the state vector x, from 1 to `BITLOOP_MAX_VARIABLES`.
   */
  uint32_t n_states;
  /*
   Length of the control vector u, from 1 to `BITLOOP_MAX_VARIABLES`.
   */
  uint32_t n_controls;
  /*
   Length of the observation vector y, from 1 to `BITLOOP_MAX_VARIABLES`.
   */
  uint32_t n_observations;
  /*
   Length of the parameter vector p, at most `BITLOOP_MAX_VARIABLES`.
   */
  uint32_t n_parameters;
  /*
   Number of structural parameters, at most `BITLOOP_MAX_VARIABLES`; the same for every structure.
   */
  uint32_t n_structure;
  /*
   Number of integrators that the plant can be run with, at least 1.
   */
  uint32_t n_integrators;
  /*
   Order of accuracy of the plant's own step (`BITLOOP_INTEGRATOR_PLANT_STEP`), which a checker measures; 0 if it is
   unknown.
   */
  uint32_t step_order;
  /*
   How scenarios name the plant: lower-case words joined by hyphens; at most `BITLOOP_MAX_NAME_BYTES`.
   */
  const char *name;
  /*
   Of the plant's equations; a change that moves bits changes it.
   */
  const char *version;
  /*
   One sentence, at most `BITLOOP_MAX_TEXT_BYTES`.
   */
  const char *summary;
  /*
   `[n_states]`, in the order of the state vector.
   */
  const BitloopVariable *states;
  /*
   `[n_controls]`, in the order of the control vector.
   */
  const BitloopVariable *controls;
  /*
   `[n_observations]`, in the order of the observation vector.
   */
  const BitloopVariable *observations;
  /*
   `[n_parameters]`, in the order of the parameter vector.
   */
  const BitloopParameter *parameters;
  /*
   `[n_structure]`, in the order of `BitloopBatch.structure`.
   */
  const BitloopStructuralParameter *structure;
  /*
   `[n_integrators]`, codes `BITLOOP_INTEGRATOR_...`; the first is the default.
   */
  const uint32_t *integrators;
  /*
   The integration step unless a scenario says otherwise, in seconds.
   */
  double step_s;
  /*
   The control period unless a scenario says otherwise, in seconds: a multiple of `step_s`.
   */
  double sample_time_s;
  /*
   Bytes of scratch memory that each worker lends with each call, at most `BITLOOP_MAX_SCRATCH_BYTES`.
   */
  uint64_t scratch_size;
} BitloopDescription;

/*
 The elementary functions of `BitloopMath` over arrays of `n` numbers, a multiple of 4, at the speed of vectors.

 Each number gives the bits that the function of `BitloopMath` gives for it. Results are written after all inputs of
 the same place are read, so that an array of results may be one of the inputs; else arrays do not overlap. They need
 the alignment of a double.
 */
typedef struct {
  /*
   `sizeof(BitloopVectorMath)` as the host knows it.
   */
  uint32_t struct_size;
  /*
   0.
   */
  uint32_t reserved;
  /*
   Sine.
   */
  void (*sin)(const double *x, double *result, uint32_t n);
  /*
   Cosine.
   */
  void (*cos)(const double *x, double *result, uint32_t n);
  /*
   Sine and cosine at once, written to `sin` and `cos`, two arrays.
   */
  void (*sin_cos)(const double *x, double *sin, double *cos, uint32_t n);
  /*
   Tangent.
   */
  void (*tan)(const double *x, double *result, uint32_t n);
  /*
   The angles of the points (`x`, `y`), from -pi to pi.
   */
  void (*atan2)(const double *y, const double *x, double *result, uint32_t n);
  /*
   e^x.
   */
  void (*exp)(const double *x, double *result, uint32_t n);
  /*
   e^x - 1, exact near 0.
   */
  void (*expm1)(const double *x, double *result, uint32_t n);
  /*
   The natural logarithm.
   */
  void (*ln)(const double *x, double *result, uint32_t n);
  /*
   base^exponent.
   */
  void (*pow)(const double *base, const double *exponent, double *result, uint32_t n);
  /*
   Hyperbolic tangent.
   */
  void (*tanh)(const double *x, double *result, uint32_t n);
  /*
   1 / (1 + e^-x).
   */
  void (*logistic)(const double *x, double *result, uint32_t n);
} BitloopVectorMath;

/*
 Elementary functions that give the same bits on every machine, and the same as in a plant written in Rust.

 Those of the C library do not: their bits change with its version and with the processor. Each is at most 2 ULP off,
 and follows C99 for special values. Angles are in radians.
 */
typedef struct {
  /*
   `sizeof(BitloopMath)` as the host knows it.
   */
  uint32_t struct_size;
  /*
   0.
   */
  uint32_t reserved;
  /*
   Sine.
   */
  double (*sin)(double x);
  /*
   Cosine.
   */
  double (*cos)(double x);
  /*
   Sine and cosine at once, written to `sin` and `cos`.
   */
  void (*sin_cos)(double x, double *sin, double *cos);
  /*
   Tangent.
   */
  double (*tan)(double x);
  /*
   The angle of the point (`x`, `y`), from -pi to pi.
   */
  double (*atan2)(double y, double x);
  /*
   e^x.
   */
  double (*exp)(double x);
  /*
   e^x - 1, exact near 0.
   */
  double (*expm1)(double x);
  /*
   The natural logarithm.
   */
  double (*ln)(double x);
  /*
   base^exponent.
   */
  double (*pow)(double base, double exponent);
  /*
   Hyperbolic tangent.
   */
  double (*tanh)(double x);
  /*
   1 / (1 + e^-x).
   */
  double (*logistic)(double x);
  /*
   The square root, correctly rounded.
   */
  double (*sqrt)(double x);
  /*
   a * b + c, rounded once.
   */
  double (*fma)(double a, double b, double c);
  /*
   The functions over arrays, never null; there if `struct_size` covers it, which it does not in hosts from before it was
   appended.
   */
  const BitloopVectorMath *vectors;
} BitloopMath;

/*
 The arguments of every hot call, on a batch of lanes.

 Matrices are row after row, `stride` numbers a row, rows aligned to 64 bytes; lanes `0..n_lanes` are computed, those
 after them left alone; `stride` is a multiple of 8 and `n_lanes` of 4. The host owns every buffer, and lends it for the
 call alone. Padding lanes hold copies of a real lane. A pointer that a function is not said to use may be null.
 */
typedef struct {
  /*
   `sizeof(BitloopBatch)` as the host knows it.
   */
  uint32_t struct_size;
  /*
   The instruction set that the host runs with: 0 portable, 1 AVX2 with FMA, 2 AVX-512 (F, DQ, VL).
   */
  uint32_t isa;
  /*
   Lanes to compute.
   */
  uint32_t n_lanes;
  /*
   Numbers from one row to the next.
   */
  uint32_t stride;
  /*
   Structural parameters, `[n_structure]`.
   */
  const uint64_t *structure;
  /*
   How many structural parameters there are.
   */
  uint32_t n_structure;
  /*
   How many integration steps `advance` takes.
   */
  uint32_t n_steps;
  /*
   p: `[n_parameters][stride]`, read by all.
   */
  const double *parameters;
  /*
   x: `[n_states][stride]`, read by all, written by `advance`.
   */
  double *state;
  /*
   u: `[n_controls][stride]`, constant over the call, read by `advance`.
   */
  const double *control;
  /*
   y: `[n_observations][stride]`, written by `observe`.
   */
  double *observation;
  /*
   `[stride]`. `advance` adds the stage cost after each step, in order of time, where `counts_cost` is not 0.
   */
  double *cost;
  /*
   `[stride]`, zeros at the call of `advance`: for a lane that ended, the number of the step (1 to `n_steps`) after which
   it was in the failure set, or its stage cost was negative or NaN. Such a lane keeps the state of that moment, and
   neither that step's stage cost nor a later one is added to `cost`.
   */
  uint32_t *end_step;
  /*
   `[stride]`. `advance` writes the stage cost at that moment, for a lane that ended; `terminal_cost` and
   `failure_cost` write theirs, for every lane.
   */
  double *end_cost;
  /*
   Scratch memory of this worker, as large as the plant asked for, aligned to 64 bytes; null where it asked for none.
   Its contents are undefined at each call.
   */
  void *scratch;
  /*
   Room for a message, UTF-8 ended by 0, written when the status is not 0.
   */
  char *message;
  /*
   Elementary functions of the host, compiled for `isa`; they stay as long as the program runs.
   */
  const BitloopMath *math;
  /*
   Integration steps since the start of the episode: time is `tick * step_s`.
   */
  uint64_t tick;
  /*
   The integration step in seconds.
   */
  double step_s;
  /*
   Bytes of room at `message`.
   */
  uint32_t message_size;
  /*
   The integration method, `BITLOOP_INTEGRATOR_...`.
   */
  uint32_t integrator;
  /*
   Whether stage costs are added to `cost`: 0 or 1.
   */
  uint32_t counts_cost;
  /*
   0.
   */
  uint32_t reserved;
} BitloopBatch;

/*
 What the exported symbol returns: a constant that stays where it is as long as the program runs.

 The host reads `abi_version` and `struct_size` before anything else. Each function may be called from any thread, and
 by several at once; none may keep a pointer that it was lent, change the floating-point mode or the locale, or let an
 exception or a panic pass.
 */
typedef struct {
  /*
   `BITLOOP_ABI_VERSION`.
   */
  uint32_t abi_version;
  /*
   `sizeof(BitloopDescriptor)`.
   */
  uint32_t struct_size;
  /*
   `sizeof(BitloopBatch)`: the host's batches are at least as large.
   */
  uint32_t batch_size;
  /*
   `BITLOOP_CAPABILITY_...`, added up. The host ignores those that it does not know.
   */
  uint32_t capabilities;
  /*
   Describes the plant with these structural parameters, or its usual ones where `structure` is null.

   Called before any function below, and never by the hot loop. `structure: [n_structure]` is lent for the call.
   Returns a description that the plant owns, and that stays as it is until `release_description`; or null if it
   cannot be had, with the reason in `message`, `message_size` bytes of room for UTF-8 ended by 0. It may allocate.
   */
  const BitloopDescription *(*describe)(const uint64_t *structure,
                                        uint32_t n_structure,
                                        char *message,
                                        uint32_t message_size);
  /*
   Takes back a description, once for each that `describe` returned. May be null where there is nothing to free.
   */
  void (*release_description)(const BitloopDescription *description);
  /*
   Gives an optional part of this contract by its id, a text ended by 0, or null for one that the plant does not
   have; what is returned stays as long as the program runs. Ids are "bitloop.picture.1", for a `BitloopPicturePart`,
   and "bitloop.instances.1", for a `BitloopInstancesPart`. May be null.
   */
  const void *(*optional_part)(const char *id);
  /*
   Advances each lane by `n_steps` integration steps of `step_s` seconds, `control` held.

   After each step, at time `(tick + steps done) * step_s`, the stage cost is taken. A lane in the failure set, or with
   a stage cost that is negative or NaN, ends: see `BitloopBatch.end_step`. Otherwise its cost is added to `cost` where
   `counts_cost` is not 0.

   This is the hot call: a pure function of the batch. The host owns every buffer, and lends it for the call alone. It
   must not allocate, lock, or do input and output. Returns `BITLOOP_STATUS_...`, with a reason in
   `BitloopBatch.message` where that is not `BITLOOP_STATUS_OK`.
   */
  int32_t (*advance)(BitloopBatch *batch);
  /*
   Writes the observation of each lane's state at time `tick * step_s`. Rules as for `advance`.
   */
  int32_t (*observe)(BitloopBatch *batch);
  /*
   Writes to `end_cost` each lane's cost of ending at its state, 0 or more. Rules as for `advance`.
   */
  int32_t (*terminal_cost)(BitloopBatch *batch);
  /*
   Writes to `end_cost` what each lane is charged, per step, from a failure to the end of the horizon, 0 or more: a
   function of the parameters alone. Rules as for `advance`.
   */
  int32_t (*failure_cost)(BitloopBatch *batch);
} BitloopDescriptor;

/*
 A value of the plant times a factor; all zeros where there is none.
 */
typedef struct {
  /*
   What the value is multiplied by.
   */
  double factor;
  /*
   `BITLOOP_PICTURE_...`, or 0, after which no more terms follow.
   */
  uint32_t kind;
  /*
   The position of the value in its vector.
   */
  uint32_t index;
} BitloopTerm;

/*
 A number of a picture: `offset` and the sum of the terms.
 */
typedef struct {
  /*
   The number where all values are 0.
   */
  double offset;
  /*
   Those that are used come first.
   */
  BitloopTerm terms[4];
} BitloopNumber;

/*
 A moving system of coordinates: turned by `angle` about its origin.
 */
typedef struct {
  /*
   The frame that it moves in, which comes before it: frames count from 1, and 0 is the plane.
   */
  uint64_t parent;
  /*
   Of the origin, in the parent.
   */
  BitloopNumber x;
  /*
   Of the origin, in the parent; upward.
   */
  BitloopNumber y;
  /*
   Counterclockwise, in radians.
   */
  BitloopNumber angle;
} BitloopFrame;

/*
 Something that is drawn.
 */
typedef struct {
  /*
   The frame that it moves with: frames count from 1, and 0 is the plane.
   */
  uint32_t frame;
  /*
   `BITLOOP_SHAPE_...`
   */
  uint32_t kind;
  /*
   `BITLOOP_ROLE_...`
   */
  uint32_t role;
  /*
   As many as its kind has.
   */
  uint32_t n_numbers;
  /*
   `[n_numbers]`
   */
  const BitloopNumber *numbers;
  /*
   Of `BITLOOP_SHAPE_TEXT`, at most `BITLOOP_MAX_NAME_BYTES`; null for others.
   */
  const char *text;
} BitloopShape;

/*
 What a plant looks like. Lengths are in a unit of the author's choice, x to the right and y upward.
 */
typedef struct {
  /*
   `sizeof(BitloopPicture)`.
   */
  uint32_t struct_size;
  /*
   Number of frames, at most 64.
   */
  uint32_t n_frames;
  /*
   Number of shapes, from 1 to 256, with at most 4096 numbers in all.
   */
  uint32_t n_shapes;
  /*
   The frame whose origin stays in the middle of the view; 0 where the view does not move.
   */
  uint32_t follow;
  /*
   The left edge of what is shown, relative to the frame that is followed.
   */
  double left;
  /*
   The right edge.
   */
  double right;
  /*
   The lower edge.
   */
  double bottom;
  /*
   The upper edge.
   */
  double top;
  /*
   `[n_frames]`, each after its parent.
   */
  const BitloopFrame *frames;
  /*
   `[n_shapes]`; later ones are drawn over earlier ones.
   */
  const BitloopShape *shapes;
} BitloopPicture;

/*
 The optional part "bitloop.picture.1", which stays as long as the program runs.
 */
typedef struct {
  /*
   `sizeof(BitloopPicturePart)`.
   */
  uint32_t struct_size;
  /*
   0.
   */
  uint32_t reserved;
  /*
   The picture of the plant with these structural parameters; called and answered as `describe`, but null with an empty
   message where there is none.
   */
  const BitloopPicture *(*picture)(const uint64_t *structure,
                                   uint32_t n_structure,
                                   char *message,
                                   uint32_t message_size);
  /*
   Takes back a picture, once for each that `picture` returned. May be null where there is nothing to free.
   */
  void (*release_picture)(const BitloopPicture *picture);
} BitloopPicturePart;

/*
 The optional part "bitloop.instances.1", which stays as long as the program runs: a plant that owns its state, such as a
 simulator with a solver of its own.

 A host then calls these functions, and never `advance`, `observe` and `terminal_cost` of the descriptor, which answer
 `BITLOOP_STATUS_BAD_CALL`, so that a host that does not know this part says so. Its only integrator is
 `BITLOOP_INTEGRATOR_PLANT_STEP`.

 A worker has a number of slots, with an episode in each. One thread at a time calls a worker, not always the same one;
 several workers are called at once, and must not share anything that is written. An episode stays in its slot; a slot
 whose episode ended, or was dropped, begins another one. Slots that a call does not name are left alone. The same calls
 from `begin` on give the same answers, whatever was in the slot before, in whichever slot, and in any company.

 A call has `batch->n_lanes` lanes, any number from 1 on, without padding. Lane i is that of slot `slots[i]`, no two of
 which are alike. The buffers of the batch are those of `advance`, `observe` and `terminal_cost` of the descriptor. The
 numbers in `state` are what the plant shows of its state: a copy, which nothing but the host's records reads. After a
 status other than `BITLOOP_STATUS_OK` the worker is dropped.
 */
typedef struct {
  /*
   `sizeof(BitloopInstancesPart)`.
   */
  uint32_t struct_size;
  /*
   0.
   */
  uint32_t reserved;
  /*
   Makes a worker with slots 0 to `n_slots - 1` for the plant with these structural parameters; `structure:
   [n_structure]` is lent for the call. Returns null if it cannot, with the reason in `message`, `message_size` bytes of
   room for UTF-8 ended by 0.
   */
  void *(*make_worker)(const uint64_t *structure,
                       uint32_t n_structure,
                       uint32_t n_slots,
                       char *message,
                       uint32_t message_size);
  /*
   Drops a worker, once, after its last call.
   */
  void (*drop_worker)(void *worker);
  /*
   Begins an episode in each slot of the call, at time 0, from the values in `state` and `parameters`, and writes the
   state that it begins with to `state`. `seeds: [n_lanes]`, one for each episode, are all that chance may depend on.
   */
  int32_t (*begin)(void *worker, const uint32_t *slots, const uint64_t *seeds, BitloopBatch *batch);
  /*
   Writes the observations at time `tick * step_s`.
   */
  int32_t (*observe)(void *worker, const uint32_t *slots, BitloopBatch *batch);
  /*
   Advances by `n_steps` steps of `step_s` under `control`, writes the state, and takes costs and ends as `advance` of
   the descriptor does.
   */
  int32_t (*advance)(void *worker, const uint32_t *slots, BitloopBatch *batch);
  /*
   Writes to `end_cost` the cost of ending here, 0 or more.
   */
  int32_t (*terminal_cost)(void *worker, const uint32_t *slots, BitloopBatch *batch);
  /*
   Bytes of the state of a slot, at most `BITLOOP_MAX_SLOT_BYTES`, the same for all slots of the worker and as long as it
   lives. Null where states cannot be had; then the next two are null, too.
   */
  uint64_t (*state_size)(void *worker);
  /*
   Writes all that the rest of a slot's episode depends on, `state_size` bytes without pointers. Returns a status.
   */
  int32_t (*get_state)(void *worker, uint32_t slot, void *state);
  /*
   Puts a slot into such a state, of any worker of this process with the same structural parameters, whatever was in it
   before. Returns a status.
   */
  int32_t (*set_state)(void *worker, uint32_t slot, const void *state);
} BitloopInstancesPart;

#endif  /* BITLOOP_PLANT_H */

/*
 The id of the optional part that is a BitloopPicturePart.
 */
#define BITLOOP_PICTURE_PART "bitloop.picture.1"

/*
 The id of the optional part that is a BitloopInstancesPart.
 */
#define BITLOOP_INSTANCES_PART "bitloop.instances.1"

/*
 The one symbol that a library exports.
 */
BITLOOP_EXPORT const BitloopDescriptor *bitloop_plant_v1(void);

/*
 Writes the plant's name, as its description has it, to the library, so that it is found by that name without being opened:
 BITLOOP_PLANT_NAME("my-plant"), without a semicolon.
 */
#ifdef __cplusplus
#define BITLOOP_PLANT_NAME(name)                                                                   \
    extern "C" {                                                                                 \
    extern __attribute__((visibility("default"))) const char bitloop_plant_name_v1[];            \
    const char bitloop_plant_name_v1[] = name;                                                     \
    }
#else
#define BITLOOP_PLANT_NAME(name)                                                                   \
    extern __attribute__((visibility("default"))) const char bitloop_plant_name_v1[];            \
    const char bitloop_plant_name_v1[] = name;
#endif
