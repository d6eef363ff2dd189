// hdf5_fuzz.c -- damaged result files: bytes changed, lost, moved or added. Every one is refused by
// name before the HDF5 library sees it; none crashes, none is taken for whole.
//   The seal does not know what a file holds: what is damaged without being sealed anew are the
//   smallest results.
//   One in 64 is sealed anew, so that the readers behind the seal see it: then only values are
//   damaged (numbers, texts, the bytes of a saved state), not what the HDF5 library goes by.
//   With JD_FUZZ_SEALED set all are, wherever the damage is: for finding faults of that library by
//   hand, as such files do not come about by accident.
#include "fuzz.h"

#include <hdf5.h>
#include <jansson.h>

#include "result/file/document.h"
#include "result/file/seal.h"

const char *const fuzz_words[] = {NULL};

static size_t damage(choices *c, uint8_t *bytes, size_t size) {
    size_t at = choose(c, (uint32_t)size), rest = size - at;
    size_t n = 1 + choose(c, rest < 64 ? (uint32_t)rest : 64);
    if (n > rest) n = rest;
    switch (choose(c, 8)) {
    case 0: // cut short
        return choose(c, 4) ? size - n : at;
    case 1: // a piece lost
        memmove(bytes + at, bytes + at + n, rest - n);
        return size - n;
    case 2: // a piece of zeros, or of ones: a block the disk lost
        memset(bytes + at, choose(c, 2) ? 0xFF : 0, n);
        return size;
    case 3: // a piece from elsewhere
        memmove(bytes + at, bytes + choose(c, (uint32_t)(size - n + 1)), n);
        return size;
    case 4: // longer
        memset(bytes + size, (int)choose(c, 256), n);
        return size + n;
    case 5: // a bit
        bytes[at] ^= (uint8_t)(1u << choose(c, 8));
        return size;
    default:
        bytes[at] = (uint8_t)choose(c, 256);
        return size;
    }
}

enum { VALUES = 2000 };

typedef struct span {
    haddr_t from;
    hsize_t size;
} span;

typedef struct spans {
    int n;
    span at[VALUES];
} spans;

// Where the values of a dataset are, but for those that only say where a text is.
static herr_t add_values(hid_t file, const char *name, const H5O_info_t *info, void *user) {
    spans *v = user;
    if (info->type != H5O_TYPE_DATASET) return 0;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set);
    haddr_t from = H5Dget_offset(set); // HADDR_UNDEF: in pieces, or none
    hsize_t size = H5Dget_storage_size(set);
    if (H5Tdetect_class(type, H5T_VLEN) <= 0 && !H5Tis_variable_str(type) && from != HADDR_UNDEF &&
        size > 0 && v->n < VALUES)
        v->at[v->n++] = (span){from, size};
    H5Tclose(type);
    H5Dclose(set);
    return 0;
}

// Where the values of a seed are, looked up once.
static const spans *values_of(const fuzz_seed *s) {
    static spans *kept[FUZZ_SEEDS];
    ptrdiff_t i = s - fuzz_seeds;
    if (kept[i]) return kept[i];
    kept[i] = calloc(1, sizeof **kept);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), hdf5 = -1; // a file in memory
    if (H5Pset_fapl_core(access, 1 << 16, false) >= 0 &&
        H5Pset_file_image(access, s->data, s->size - JD_SEAL_SIZE) >= 0)
        hdf5 = H5Fopen("seed", H5F_ACC_RDONLY, access);
    demand(hdf5 >= 0 && H5Ovisit(hdf5, H5_INDEX_NAME, H5_ITER_INC, add_values, kept[i]) >= 0,
           "a seed is no result");
    H5Fclose(hdf5);
    H5Pclose(access);
    return kept[i];
}

static void damage_values(choices *c, const spans *v, uint8_t *bytes) {
    static const uint8_t odd[][8] = {{0},
                                     {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
                                     {0, 0, 0, 0, 0, 0, 0xF0, 0x7F},
                                     {0, 0, 0, 0, 0, 0, 0, 0x80},
                                     {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xEF, 0x7F},
                                     {1}};
    if (v->n == 0) return;
    const span *s = &v->at[choose(c, (uint32_t)v->n)];
    size_t at = choose(c, (uint32_t)s->size), word = at / 8 * 8, rest = (size_t)s->size - word;
    uint8_t *to = bytes + s->from;
    if (rest > 8) rest = 8;
    uint32_t which = choose(c, 8);
    if (which < sizeof odd / sizeof *odd)
        memcpy(to + word, odd[which], rest);
    else if (which == 6)
        to[at] = (uint8_t)choose(c, 256);
    else
        memset(to + word, (int)choose(c, 256), rest);
}

// What a file's listing says, or its whole content; both look at the seal first.
static jd_status read_one(jd_context *context, const char *path, bool listing) {
    json_t *document = NULL;
    jd_status s =
        listing ? jd_hdf5_info(context, path, &document) : jd_hdf5_read(context, path, &document);
    demand_named(context, s);
    demand((s == JD_OK) == (document != NULL), "status and document disagree");
    json_decref(document);
    return s;
}

typedef enum care { UNSEALED, SEALED_VALUES, SEALED_ALL } care;

static size_t damage_some(choices *c, const fuzz_seed *s, care how, uint8_t *bytes, size_t length) {
    for (uint32_t times = 1 + choose(c, 4); times > 0 && length > 0; times--)
        if (how == SEALED_VALUES)
            damage_values(c, values_of(s), bytes);
        else
            length = damage(c, bytes, length);
    return length;
}

static int by_size(const void *a, const void *b) {
    const fuzz_seed *const *s = a, *const *t = b;
    return ((*s)->size > (*t)->size) - ((*s)->size < (*t)->size);
}

// One of the n smallest.
static const fuzz_seed *small_seed(uint32_t which, uint32_t n) {
    static const fuzz_seed *sorted[FUZZ_SEEDS];
    if (!sorted[0]) {
        for (int i = 0; i < fuzz_n_seed; i++) sorted[i] = &fuzz_seeds[i];
        qsort(sorted, (size_t)fuzz_n_seed, sizeof *sorted, by_size);
    }
    return sorted[which % n % (uint32_t)fuzz_n_seed];
}

static care care_of(const uint8_t *data, size_t size) {
    static int all = -1;
    if (all < 0) all = getenv("JD_FUZZ_SEALED") != NULL;
    return all ? SEALED_ALL : size > 1 && fuzz_mix(data, size) % 64 == 0 ? SEALED_VALUES : UNSEALED;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t bytes[8 * FUZZ_LARGEST];
    static fuzz_file file;
    choices c = {data, data + size};
    uint32_t which = choose(&c, (uint32_t)fuzz_n_seed), kind = choose(&c, 2); // listing or all
    care how = care_of(data, size);
    const fuzz_seed *s = size <= 1         ? &fuzz_seeds[which]
                         : how == UNSEALED ? small_seed(which, 4)
                                           : small_seed(which, how == SEALED_ALL ? FUZZ_SEEDS : 8);
    size_t length = how == UNSEALED ? s->size : s->size - JD_SEAL_SIZE;
    memcpy(bytes, s->data, s->size);
    if (size > 1) length = damage_some(&c, s, how, bytes, length);
    fuzz_file_write(&file, bytes, length);
    if (how != UNSEALED) demand(jd_seal_put(file.fd) == 0, "cannot seal");
    jd_context *context = jd_context_create(NULL);
    jd_status status = read_one(context, file.path, kind);
    bool same = length == s->size && memcmp(bytes, s->data, length) == 0;
    demand(same == (status == JD_OK) || how != UNSEALED, "a damaged file is taken for whole");
    fuzz_taken += status == JD_OK;
    jd_context_free(context);
    return 0;
}
