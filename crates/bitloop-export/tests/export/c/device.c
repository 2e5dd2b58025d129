/* Runs recorded steps from the file `steps` on an emulated device, counts those whose outputs differ, and writes what it
   found to the file `found`. With a clock that counts instructions it also says how many a step takes; and how deep its stack
   is at most, below that of its caller. */
#include <stdint.h>
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
#define ROW (1 + N_IN + N_OUT)
#define N_ROWS 64

#define UNTOUCHED 0xa5a5a5a5u

extern uint32_t bss_end[];

int call_host(int operation, const void *arguments);

static word rows[N_ROWS][ROW];
static NAMED(NAME, _state) state;

static intptr_t opened(const char *name, intptr_t mode, intptr_t length)
{
    const intptr_t arguments[3] = {(intptr_t)name, mode, length};
    return call_host(1, arguments);
}

static char *written(char *to, uint32_t value)
{
    char digits[10];
    int n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (n)
        *to++ = digits[--n];
    *to++ = ' ';
    return to;
}

static uint32_t *stack_pointer(void)
{
    uint32_t *pointer;
    __asm__ volatile("mov %0, sp" : "=r"(pointer));
    return pointer;
}

int main(void)
{
    /* SysTick, downwards from 2^24. */
    volatile uint32_t *const control = (volatile uint32_t *)0xe000e010;
    const intptr_t in = opened("steps", 1, 5), out = opened("found", 5, 5);
    uint32_t n_steps = 0, n_differing = 0, n_ticks = 0, n_stack;
    volatile uint32_t *deepest;
    char text[64], *end = text;
    number inputs[N_IN], outputs[N_OUT];
    control[1] = 0xffffff;
    control[2] = 0;
    control[0] = 5;
    for (deepest = stack_pointer() - 1; deepest >= bss_end; --deepest)
        *deepest = UNTOUCHED;
    for (;;) {
        const intptr_t arguments[3] = {in, (intptr_t)rows, (intptr_t)sizeof rows};
        const int n_rows = (int)((sizeof rows - (uint32_t)call_host(6, arguments)) / sizeof rows[0]);
        int at;
        for (at = 0; at < n_rows; ++at) {
            uint32_t before;
            if (rows[at][0])
                NAMED(NAME, _reset)(&state);
            memcpy(inputs, &rows[at][1], sizeof inputs);
            before = control[2];
            NAMED(NAME, _step)(&state, inputs, outputs);
            n_ticks += (before - control[2]) & 0xffffff;
            n_differing += memcmp(outputs, &rows[at][1 + N_IN], sizeof outputs) != 0;
            ++n_steps;
        }
        if (n_rows < N_ROWS)
            break;
    }
    for (deepest = bss_end; *deepest == UNTOUCHED; ++deepest)
        continue;
    n_stack = (uint32_t)((char *)stack_pointer() - (char *)deepest);
    end = written(end, n_steps);
    end = written(end, n_differing);
    end = written(end, n_ticks);
    end = written(end, n_stack);
    {
        const intptr_t arguments[3] = {out, (intptr_t)text, (intptr_t)(end - text)};
        call_host(5, arguments);
    }
    return 0;
}
