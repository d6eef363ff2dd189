// main.c -- judder-mpi: the command in several processes of MPI.
//   Every rank reads the same command line and the same model. Rank 0 is the command: it keeps the
//   journal, hands out chunks, collects what comes back and alone writes and reports. The other
//   ranks compute chunks, with one thread each where --threads says nothing. A single rank is the
//   command itself.
//   Before the work begins all ranks meet once, ready or with the reason why not: what only one of
//   them cannot read ends all of them, with its reason, and nobody waits for the lost.
#include <mpi.h>

#include "mpi/ranks.h"

static bool is_known(int argc, char **argv) {
    static const char *const known[] = {"sweep", "batch", "--help", "-h", "--version"};
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(argv[i], known[k]) == 0) return true;
    return false;
}

static int refuse(int rank) {
    if (rank == 0)
        fputs("judder-mpi: only `sweep` and `batch` are spread over ranks; for other verbs take "
              "`judder`\n  mpirun -np 4 judder-mpi sweep map.yaml -o map.h5\n",
              stderr);
    MPI_Finalize();
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    int given, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!is_known(argc, argv)) return refuse(rank);
    const spreading ranks = {
        .silent = rank > 0, .sweep = ranks_sweep, .batch = ranks_batch, .failed = ranks_failed};
    if (size == 1)
        fputs("judder-mpi: there is one rank only, which computes everything; mpirun -np N starts "
              "more\n",
              stderr);
    int code = command_run(argc, argv, size > 1 ? &ranks : NULL);
    if (size > 1) ranks_leave(); // help, or a failure before the work began
    MPI_Finalize();
    return rank > 0 ? EXIT_DONE : code; // rank 0 speaks for all
}
