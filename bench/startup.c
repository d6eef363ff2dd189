// startup.c -- what a command takes before and beside the motion: `judder --version`, and the whole
//   run of the friction beam, beside `true`.
//   startup JUDDER MODEL: the best of many, in turn, so that a busy machine spoils all alike.
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 60, COMMANDS = 3 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec; // [ms]
}

static double time_of(char *const *command) {
    double begin = now();
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp(command[0], command);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) return NAN;
    return now() - begin;
}

int main(int argc, char **argv) {
    if (argc != 3) return fputs("usage: startup JUDDER MODEL\n", stderr), 2;
    char *const commands[COMMANDS][4] = {
        {"true"}, {argv[1], "--version"}, {argv[1], "run", argv[2]}};
    const char *const names[] = {"true", "judder --version", "judder run, friction beam"};
    const double most[] = {HUGE_VAL, 3, 8}; // [ms]
    double best[COMMANDS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < COMMANDS; k++) {
            double t = time_of(commands[k]);
            if (isnan(t)) return fprintf(stderr, "%s: failed\n", names[k]), 1;
            best[k] = fmin(best[k], t);
        }
    int failed = 0;
    printf("\nStart-up, best of %d\n", ROUNDS);
    for (int k = 0; k < COMMANDS; k++) {
        printf("  %-28s %7.2f ms %6.1f of `true`", names[k], best[k], best[k] / best[0]);
        if (k > 0) printf("  at most %g ms  %s", most[k], best[k] <= most[k] ? "met" : "MISSED");
        printf("\n");
        failed |= best[k] > most[k];
    }
    return failed;
}
