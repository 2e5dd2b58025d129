/* Runs the test vectors; says how many steps differ, and exits with 0 if none does. */
#include <stdio.h>
#include <string.h>

#include "@NAME@.h"
#include "test_vectors.h"

int main(void)
{
    @NAME@_state state;
    @NUMBER@ inputs[@UPPER@_N_INPUTS], outputs[@UPPER@_N_OUTPUTS];
    @WORD@ bits[@UPPER@_N_OUTPUTS];
    int step, n_differing = 0;
    @NAME@_reset(&state);
    for (step = 0; step < N_STEPS; ++step) {
        if (step == RESET_AT)
            @NAME@_reset(&state);
        memcpy(inputs, test_inputs[step], sizeof inputs);
        @NAME@_step(&state, inputs, outputs);
        memcpy(bits, outputs, sizeof bits);
        n_differing += memcmp(bits, test_outputs[step], sizeof bits) != 0;
    }
    printf("@NAME@: %d steps, %d differ from bitloop\n", N_STEPS, n_differing);
    return n_differing != 0;
}
