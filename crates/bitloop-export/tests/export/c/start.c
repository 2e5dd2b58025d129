/* The start of a program on an emulated Cortex-M, and the few calls of the debugger's interface that it needs. */
#include <stdint.h>

extern unsigned char stack_top[], bss_start[], bss_end[];

int main(void);
void reset(void);
void fault(void);

/* Stack, reset, and the faults. */
__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, (const void *)reset, (const void *)fault, (const void *)fault, (const void *)fault, (const void *)fault,
    (const void *)fault,
};

int call_host(int operation, const void *arguments)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

/* SYS_EXIT: stopped by the application itself, or by a fault. */
static void leave(int reason)
{
    call_host(0x18, (const void *)(intptr_t)reason);
    for (;;) {
    }
}

void fault(void)
{
    leave(0x20023);
}

void reset(void)
{
    unsigned char *at;
#if defined(__ARM_FP)
    /* Turns the floating-point unit on. */
    *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20;
    __asm__ volatile("dsb\n isb");
#endif
    for (at = bss_start; at < bss_end; ++at)
        *at = 0;
    main();
    leave(0x20026);
}
