// The clock of the programs that are a limit.

#include <time.h>

// The processor's time that this thread has taken.
static double thread_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}
