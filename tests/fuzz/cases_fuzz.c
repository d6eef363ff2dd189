// cases_fuzz.c -- tables of cases: hostile texts are read as rows of equal length or refused by
// name and line.
#include "fuzz.h"

#include "judder/batch.h"

const char *const fuzz_words[] = {"a.b,c\n", "1,2\n",  ",\n",    "\"x, y\"", "\"\"", "\"",
                                  "# c\n",   "a=b",    " ,\t",   "\r\n",     "1",    "2 kN",
                                  "a,a\n",   "\"\n\"", ",,,,\n", NULL};

static jd_status read_cases(jd_arena *arena, const char *path) {
    jd_batch_table *table = NULL;
    jd_status s = jd_batch_read(jd_arena_context(arena), path, &table);
    if (s != JD_OK) return s;
    const jd_batch_def *d = jd_batch_look(table);
    demand(d->n > 0 && d->n_parameter > 0, "a table without cases");
    for (int k = 0; k < d->n_parameter; k++)
        demand(d->parameter[k][0] && !strpbrk(d->parameter[k], "= \t"), "a path that is none");
    for (long i = 0; i < (long)d->n * d->n_parameter; i++)
        demand(d->value[i] && strlen(d->value[i]) < 1 << 20, "a cell that is none");
    jd_batch_free(table);
    return JD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(data, size, read_cases);
    return 0;
}
