// main.c -- judder-mpi: the command in several processes of MPI.
//   Every rank reads the same command line and the same model. Rank 0 is the command: it keeps the
//   journal, hands out chunks, collects what comes back and alone writes and reports. The other
//   ranks compute chunks, with one thread each where --threads says nothing. A single rank is the
//   command itself.
//   Before the work begins all ranks meet once, ready or with the reason why not: what only one of
//   them cannot read ends all of them, with its reason, and nobody waits for the lost.
#include <mpi.h>

#include <string.h>

#include "mpi/ranks.h"

// The word for a verb that is spread; NULL: there is none.
static char **find_verb(int argc, char **argv) {
    static const char *const known[] = {"sweep", "batch", "starts", "orbit"};
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(argv[i], known[k]) == 0) return &argv[i];
    return NULL;
}

static bool has_option(int argc, char **argv, const char *name) {
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, n) == 0 && (!argv[i][n] || argv[i][n] == '=')) return true;
    return false;
}

// `starts` is `orbit` with --starts N. NULL: this can be spread, or asks for help only.
static const char *why_not(int argc, char **argv) {
    static char orbit[] = "orbit";
    char **word = find_verb(argc, argv);
    if (has_option(argc, argv, "--help") || has_option(argc, argv, "-h") ||
        has_option(argc, argv, "--version")) {
        if (word && strcmp(*word, "starts") == 0) *word = orbit;
        return NULL;
    }
    if (!word)
        return "only `sweep`, `batch` and `starts` are spread over ranks; for other verbs take "
               "`judder`\n  mpirun -np 4 judder-mpi sweep map.yaml -o map.h5";
    if (strcmp(*word, "sweep") == 0 || strcmp(*word, "batch") == 0) return NULL;
    if (!has_option(argc, argv, "--starts"))
        return "how many random starts is not said\n  mpirun -np 4 judder-mpi starts model.yaml "
               "--starts 1000 -o starts.h5";
    *word = orbit;
    return NULL;
}

static int refuse(int rank, const char *why) {
    if (rank == 0) fprintf(stderr, "judder-mpi: %s\n", why);
    MPI_Finalize();
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    int given, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *why = why_not(argc, argv);
    if (why) return refuse(rank, why);
    const spreading ranks = {.silent = rank > 0, .run = ranks_run, .failed = ranks_failed};
    if (size == 1)
        fputs("judder-mpi: there is one rank only, which computes everything; mpirun -np N starts "
              "more\n",
              stderr);
    int code = command_run(argc, argv, size > 1 ? &ranks : NULL);
    if (size > 1) ranks_leave(); // help, or a failure before the work began
    MPI_Finalize();
    return rank > 0 ? EXIT_DONE : code; // rank 0 speaks for all
}
