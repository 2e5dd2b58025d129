EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

EXPORT void *fmi2Instantiate(const char *name, int kind, const char *token, const char *resources, const void *functions,
                             int visible, int logging)
{
    instance *self;
    (void)name, (void)resources, (void)functions, (void)visible, (void)logging;
    if (kind != 1 || strcmp(token, "@TOKEN@") != 0)
        return 0;
    self = (instance *)malloc(sizeof *self);
    if (self)
        restart(self);
    return self;
}

EXPORT void fmi2FreeInstance(void *self) { free(self); }

EXPORT status fmi2SetupExperiment(void *self, int has_tolerance, double tolerance, double start, int has_stop, double stop)
{
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    ((instance *)self)->start = ((instance *)self)->time = start;
    return OK;
}

EXPORT status fmi2EnterInitializationMode(void *self) { return self ? OK : ERROR_STATUS; }
EXPORT status fmi2ExitInitializationMode(void *self) { return self ? OK : ERROR_STATUS; }
EXPORT status fmi2Terminate(void *self) { return self ? OK : ERROR_STATUS; }

EXPORT status fmi2Reset(void *self)
{
    restart((instance *)self);
    return OK;
}

EXPORT status fmi2GetReal(void *self, const reference *which, size_t n, double *values)
{
    return get((instance *)self, which, n, values);
}

EXPORT status fmi2SetReal(void *self, const reference *which, size_t n, const double *values)
{
    return set((instance *)self, which, n, values);
}

EXPORT status fmi2DoStep(void *self, double time, double step, int no_rollback)
{
    (void)no_rollback;
    return advance((instance *)self, time + step);
}

/* The rest of the interface: logging, other types, saved states and derivatives, of which there are none. */
EXPORT status fmi2SetDebugLogging(void *self, int on, size_t n, const char *const *categories)
{
    return (void)self, (void)on, (void)n, (void)categories, OK;
}

#define NO_VARIABLES(name, type) \
    EXPORT status name(void *self, const reference *which, size_t n, type values) \
    { \
        return (void)self, (void)which, (void)values, n ? ERROR_STATUS : OK; \
    }
NO_VARIABLES(fmi2GetInteger, int *)
NO_VARIABLES(fmi2GetBoolean, int *)
NO_VARIABLES(fmi2GetString, const char **)
NO_VARIABLES(fmi2SetInteger, const int *)
NO_VARIABLES(fmi2SetBoolean, const int *)
NO_VARIABLES(fmi2SetString, const char *const *)

#define NOT_HERE(name) \
    EXPORT status name(void *self) { return (void)self, ERROR_STATUS; }
NOT_HERE(fmi2GetFMUstate)
NOT_HERE(fmi2SetFMUstate)
NOT_HERE(fmi2FreeFMUstate)
NOT_HERE(fmi2SerializedFMUstateSize)
NOT_HERE(fmi2SerializeFMUstate)
NOT_HERE(fmi2DeSerializeFMUstate)
NOT_HERE(fmi2GetDirectionalDerivative)
NOT_HERE(fmi2SetRealInputDerivatives)
NOT_HERE(fmi2GetRealOutputDerivatives)
NOT_HERE(fmi2CancelStep)
NOT_HERE(fmi2GetStatus)
NOT_HERE(fmi2GetRealStatus)
NOT_HERE(fmi2GetIntegerStatus)
NOT_HERE(fmi2GetBooleanStatus)
NOT_HERE(fmi2GetStringStatus)
