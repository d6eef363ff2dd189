// main.c -- judder-reduce: `judder reduce` with the work on large matrices spread over ranks of
// MPI.
//   Rank 0 is the command: it reads the model and its matrices, bounds errors, and alone writes and
//   reports. Factors, solves and eigenpairs (SLEPc's Krylov-Schur on MUMPS's factors) are done by
//   all ranks together. What is computed from them is the same code as in one process, the count
//   that no mode is missing included.
#include <slepceps.h>

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "command.h"
#include "orders.h"

// A process for each processor: threads of OpenBLAS would be too many. Not there with other BLAS.
extern void openblas_set_num_threads(int n) __attribute__((weak));

static bool has(int argc, char **argv, const char *a, const char *b) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], a) == 0 || strcmp(argv[i], b) == 0) return true;
    return false;
}

// What fails inside PETSc is told by share_check, in one line.
static PetscErrorCode quiet_handler(MPI_Comm comm, int line, const char *function, const char *file,
                                    PetscErrorCode code, PetscErrorType type, const char *message,
                                    void *user) {
    (void)comm, (void)line, (void)function, (void)file, (void)type, (void)message, (void)user;
    return code;
}

// Wall clock, processor time and memory of all ranks, on rank 0.
static void tell_cost(int size, double begin) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    double mine[2] = {(double)used.ru_maxrss * 1024,
                      (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                          1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec)};
    double sum[2] = {0, 0}, most = 0;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        fprintf(stderr,
                "judder-reduce: %d rank%s, %.1f s (%.1f s of processors), %.3g GB of memory, at "
                "most %.3g GB on a rank\n",
                size, size == 1 ? "" : "s", MPI_Wtime() - begin, sum[1], sum[0] / 1e9, most / 1e9);
}

// The command line with the verb, as `judder` takes it.
static int run_command(int argc, char **argv) {
    static char word[] = "reduce";
    const spreading ranks = {.solver = &orders_solver};
    char **line = calloc((size_t)argc + 2, sizeof *line);
    if (!line) return EXIT_FILE;
    line[0] = argv[0];
    line[1] = word;
    for (int i = 1; i < argc; i++) line[i + 1] = argv[i];
    int code = command_run(argc + 1, line, &ranks);
    free(line);
    return code;
}

int main(int argc, char **argv) {
    int rank, size, code = EXIT_DONE;
    if (openblas_set_num_threads && !getenv("OPENBLAS_NUM_THREADS")) openblas_set_num_threads(1);
    if (SlepcInitializeNoArguments() != 0) {
        fputs("judder-reduce: SLEPc cannot be started\n", stderr);
        return EXIT_FILE;
    }
    PetscPopSignalHandler();
    PetscPushErrorHandler(quiet_handler, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double begin = MPI_Wtime();
    bool asks = has(argc, argv, "--help", "-h") || has(argc, argv, "--version", "--version");
    if (rank == 0) {
        if (asks)
            puts("judder-reduce MODEL.yaml -o SMALL.yaml -- `judder reduce`, large matrices over "
                 "the ranks of MPI:\n  mpirun -np 4 judder-reduce MODEL.yaml -o SMALL.yaml\n");
        code = run_command(argc, argv);
        orders_end();
    } else {
        orders_serve();
    }
    if (!asks && !has(argc, argv, "--quiet", "-q")) tell_cost(size, begin);
    SlepcFinalize();
    return code;
}
