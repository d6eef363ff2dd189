// table_fuzz.c -- tables of drives: hostile texts are read as ascending finite numbers or refused
// by name and line.
#include "fuzz.h"

#include "drive/kind.h"

const char *const fuzz_words[] = {
    "time,value\n",  "0,1\n", "1,2\n",     "0.5 -3e2\n", "1e308,1e308\n",   "-1,0\n",
    "nan,",          "inf ",  "0x10,",     "1e999,",     FUZZ_COLUMN_WORDS, "1,2,3\n",
    "\"1\",\"2\"\n", "1;2\n", "1,5 2,5\n", NULL};

static jd_status read_table(jd_arena *arena, const char *path) {
    jd_drive_table_def d = {.file = path, .scale = 1};
    jd_status s = jd_drive_table_load(arena, &d);
    for (int i = 0; s == JD_OK && i < d.time.n; i++)
        demand(isfinite(d.value.value[i]) && isfinite(d.time.value[i]) &&
                   (i == 0 ? d.time.value[0] >= 0 : d.time.value[i] > d.time.value[i - 1]),
               "times that do not ascend");
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(data, size, read_table);
    return 0;
}
