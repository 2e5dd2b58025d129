#include <stdlib.h>
#include <string.h>

#include "@NAME@.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef enum { OK, WARNING, DISCARD, ERROR_STATUS, FATAL, PENDING } status;
typedef unsigned int reference;

typedef struct {
    @NAME@_state state;
    double inputs[@UPPER@_N_INPUTS], outputs[@UPPER@_N_OUTPUTS];
    unsigned long n_steps; /* taken since the start */
    double start, time;
} instance;

static void restart(instance *self)
{
    memset(self, 0, sizeof *self);
    @NAME@_reset(&self->state);
}

/* Steps of the controller that are due before `end`, with the inputs that are set. */
static status advance(instance *self, double end)
{
    if (!(end - self->time < 1e9 * @TIME@))
        return ERROR_STATUS;
    while (self->start + self->n_steps * @TIME@ < end - 1e-9 * @TIME@) {
        @NAME@_step(&self->state, self->inputs, self->outputs);
        ++self->n_steps;
    }
    self->time = end;
    return OK;
}

/* Inputs have the references 0 and up, outputs come after them, then the time. */
static status get(instance *self, const reference *which, size_t n, double *values)
{
    size_t i;
    for (i = 0; i < n; ++i) {
        if (which[i] > @UPPER@_N_INPUTS + @UPPER@_N_OUTPUTS)
            return ERROR_STATUS;
        if (which[i] < @UPPER@_N_INPUTS)
            values[i] = self->inputs[which[i]];
        else if (which[i] < @UPPER@_N_INPUTS + @UPPER@_N_OUTPUTS)
            values[i] = self->outputs[which[i] - @UPPER@_N_INPUTS];
        else
            values[i] = self->time;
    }
    return OK;
}

static status set(instance *self, const reference *which, size_t n, const double *values)
{
    size_t i;
    for (i = 0; i < n; ++i) {
        if (which[i] >= @UPPER@_N_INPUTS)
            return ERROR_STATUS;
        self->inputs[which[i]] = values[i];
    }
    return OK;
}

