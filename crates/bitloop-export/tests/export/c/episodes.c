/* Runs recorded steps, given on standard input, and counts those whose outputs differ. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include HEADER

#ifdef FIXED
typedef int32_t number;
typedef int32_t word;
#else
typedef double number;
typedef uint64_t word;
#endif

#define JOIN(a, b) a##b
#define NAMED(a, b) JOIN(a, b)

int main(void)
{
    word words[1 + N_IN + N_OUT], bits[N_OUT];
    number inputs[N_IN], outputs[N_OUT];
    NAMED(NAME, _state) state;
    unsigned long n_steps = 0, n_differing = 0;
    while (fread(words, sizeof words, 1, stdin) == 1) {
        if (words[0])
            NAMED(NAME, _reset)(&state);
        memcpy(inputs, words + 1, sizeof inputs);
        NAMED(NAME, _step)(&state, inputs, outputs);
        memcpy(bits, outputs, sizeof bits);
        n_differing += memcmp(bits, words + 1 + N_IN, sizeof bits) != 0;
        ++n_steps;
    }
    printf("%lu steps, %lu differ\n", n_steps, n_differing);
    return 0;
}
