/*
 * The wall clock of one process, moved: preloaded (LD_PRELOAD), it adds to every answer as many seconds as the file
 * BERTH_TEST_CLOCK holds at that moment (8 bytes, in the machine's order). Other clocks, and the kernel's own waits for
 * a time of day, are left alone. Debian's faketime does the same, but a JVM takes a minute and a half to start with it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int (*clock_of_libc)(clockid_t, struct timespec *);

static clock_of_libc real;
static volatile int64_t *ahead_seconds;

__attribute__((constructor)) static void open_clock(void)
{
    real = (clock_of_libc) dlsym(RTLD_NEXT, "clock_gettime");
    const char *file = getenv("BERTH_TEST_CLOCK");
    int opened = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
    if (opened < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof *ahead_seconds, PROT_READ, MAP_SHARED, opened, 0);
    close(opened);
    if (mapped != MAP_FAILED) {
        ahead_seconds = mapped;
    }
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (real == NULL) {
        /* A caller may read the clock before the constructor ran. */
        real = (clock_of_libc) dlsym(RTLD_NEXT, "clock_gettime");
    }
    int failed = real(clock, now);
    if (!failed && ahead_seconds != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += *ahead_seconds;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void) zone;
    int failed = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *now)
{
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now != NULL) {
        *now = precise.tv_sec;
    }
    return precise.tv_sec;
}
