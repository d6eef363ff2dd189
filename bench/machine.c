// machine.c -- processor, system, compiler, date and versions of what is compared.
#include "machine.h"

#include <judder/judder.h>
#include <stdio.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void processor(char *out, size_t size) {
    char line[256];
    snprintf(out, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(out, size, "%s", colon + 2);
        out[strcspn(out, "\n")] = 0;
        break;
    }
    fclose(file);
}

void bench_machine_print(void) {
    char cpu[256], date[64];
    struct utsname system;
    time_t now = time(NULL);
    processor(cpu, sizeof cpu);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    printf("machine   %s, %ld processors", cpu, sysconf(_SC_NPROCESSORS_ONLN));
    if (uname(&system) == 0) printf(", %s %s", system.sysname, system.machine);
    printf("\ncompiler  gcc %s, -O3 for the peers' problem functions\n", __VERSION__);
    printf("versions  Judder %s, SUNDIALS %s\ndate      %s\n", JD_VERSION, SUNDIALS_VERSION, date);
}
