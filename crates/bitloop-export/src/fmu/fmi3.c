EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                         bool events, bool early_return, const reference *intermediate, size_t n_intermediate,
                                         void *environment, void *log, void *update)
{
    instance *self;
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)early_return, (void)intermediate;
    (void)n_intermediate, (void)environment, (void)log, (void)update;
    if (strcmp(token, "@TOKEN@") != 0)
        return 0;
    self = (instance *)malloc(sizeof *self);
    if (self)
        restart(self);
    return self;
}

EXPORT void *fmi3InstantiateModelExchange(void) { return 0; }
EXPORT void *fmi3InstantiateScheduledExecution(void) { return 0; }
EXPORT void fmi3FreeInstance(void *self) { free(self); }

EXPORT status fmi3EnterInitializationMode(void *self, bool has_tolerance, double tolerance, double start, bool has_stop, double stop)
{
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    ((instance *)self)->start = ((instance *)self)->time = start;
    return OK;
}

EXPORT status fmi3ExitInitializationMode(void *self) { return self ? OK : ERROR_STATUS; }
EXPORT status fmi3Terminate(void *self) { return self ? OK : ERROR_STATUS; }

EXPORT status fmi3Reset(void *self)
{
    restart((instance *)self);
    return OK;
}

EXPORT status fmi3GetFloat64(void *self, const reference *which, size_t n, double *values, size_t n_values)
{
    return n == n_values ? get((instance *)self, which, n, values) : ERROR_STATUS;
}

EXPORT status fmi3SetFloat64(void *self, const reference *which, size_t n, const double *values, size_t n_values)
{
    return n == n_values ? set((instance *)self, which, n, values) : ERROR_STATUS;
}

EXPORT status fmi3DoStep(void *self, double time, double step, bool no_rollback, bool *event_needed, bool *terminate,
                         bool *early_return, double *last_time)
{
    const status result = advance((instance *)self, time + step);
    (void)no_rollback;
    *event_needed = *terminate = *early_return = false;
    *last_time = ((instance *)self)->time;
    return result;
}

EXPORT status fmi3SetDebugLogging(void *self, bool on, size_t n, const char *const *categories)
{
    return (void)self, (void)on, (void)n, (void)categories, OK;
}

/* The rest of the interface: other types, modes, saved states and derivatives, of which there are none. */
#define NOT_HERE(name) \
    EXPORT status name(void *self) { return (void)self, ERROR_STATUS; }
@NOT_HERE@
