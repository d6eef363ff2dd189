// hdf5_stream.c -- columns of a growing table, block by block into an HDF5 file.
//   A table that fits into one block becomes plain datasets of its size; a longer one grows in
//   chunks of one block. HDF5 is taken for the time of each call: tables may grow on several
//   threads, each in its own file.
#include "result/file/hdf5_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "result/file/file.h"
#include "result/file/hdf5_disk.h"
#include "result/file/hdf5_tree.h"
#include "result/file/seal.h"

enum { BLOCK = 4096, FIELD_BLOCK = 16 }; // rows; of tables with whole fields in their cells

struct jd_stream_columns {
    jd_stream_columns *next;
    jd_stream *owner;
    hid_t group;
    int n, cell; // columns; the one to be filled next
    const jd_stream_column *column;
    char **block; // n columns of `most` cells
    hid_t *set;   // n datasets; 0: not made yet
    int rows;     // in the block
    int most;     // rows of a block
    hsize_t done; // rows in the file
};

struct jd_stream {
    jd_context *context;
    jd_arena *arena;
    jd_file file;
    FILE *spare; // where the target cannot be written in any order (a pipe); else NULL
    jd_disk disk;
    hid_t hdf5;
    jd_stream_columns *tables;
    void *reserve; // given back before the file is closed, which takes memory too
    bool broken;   // HDF5 failed at something that is not the disk, or would
};

static size_t cell_size(const jd_stream_column *c) {
    if (c->width > 0) return (size_t)c->width;
    return sizeof(double) * (size_t)(c->count > 0 ? c->count : 1);
}

static hid_t cell_type(const jd_stream_column *c, hid_t real) {
    hsize_t count = (hsize_t)c->count;
    if (c->count > 0) return H5Tarray_create2(real, 1, &count);
    if (c->width == 0) return H5Tcopy(real);
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, (size_t)c->width);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static jd_status begin(jd_stream *s) {
    if (!s->file.temporary) { // a device or pipe takes bytes in order only
        s->spare = tmpfile();
        if (!s->spare)
            return jd_fail(s->context, JD_CANNOT_WRITE, "cannot make a temporary file: %s",
                           strerror(errno));
    }
    s->disk.fd = fileno(s->spare ? s->spare : s->file.stream);
    hid_t plan = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_link_creation_order(plan, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    s->hdf5 = jd_disk_create(&s->disk, plan);
    H5Pclose(plan);
    if (s->hdf5 >= 0) return JD_OK;
    return jd_fail(s->context, JD_OUT_OF_MEMORY, "not enough memory to begin `%s`", s->file.path);
}

jd_status jd_stream_open(jd_context *context, const char *path, jd_stream **out) {
    *out = NULL;
    jd_arena *arena = jd_arena_create(context);
    if (!arena) return JD_OUT_OF_MEMORY;
    jd_stream *s = JD_TAKE(arena, jd_stream, 1);
    jd_status status = jd_arena_status(arena);
    if (status == JD_OK) {
        *s = (jd_stream){.context = context, .arena = arena, .hdf5 = -1};
        status = jd_room(context, 2 * (size_t)JD_HDF5_ROOM);
        if (status == JD_OK) status = jd_hdf5_ready(context);
        if (status == JD_OK) status = jd_file_open(context, path, &s->file);
    }
    if (status != JD_OK) {
        jd_arena_free(arena);
        return status;
    }
    s->reserve = malloc(JD_HDF5_ROOM);
    jd_hdf5_begin();
    status = s->reserve ? begin(s) : jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory");
    jd_hdf5_end();
    if (status == JD_OK)
        *out = s;
    else
        jd_stream_abandon(s);
    return status;
}

jd_status jd_stream_table(jd_stream *s, const char *name, int n, const jd_stream_column *column,
                          jd_stream_columns **out) {
    jd_stream_columns *c = JD_TAKE(s->arena, jd_stream_columns, 1);
    jd_stream_column *own = JD_TAKE(s->arena, jd_stream_column, n);
    char **block = JD_TAKE(s->arena, char *, n);
    hid_t *set = JD_TAKE(s->arena, hid_t, n);
    JD_TRY(jd_arena_status(s->arena));
    memcpy(own, column, (size_t)n * sizeof *own);
    size_t most = BLOCK;
    for (int i = 0; i < n; i++)
        if (column[i].count > 0) most = FIELD_BLOCK;
    for (int i = 0; i < n; i++) block[i] = jd_arena_take(s->arena, most, cell_size(&column[i]));
    JD_TRY(jd_arena_status(s->arena));
    *c = (jd_stream_columns){.next = s->tables, .owner = s, .n = n, .column = own, .block = block};
    c->set = set;
    c->most = (int)most;
    jd_hdf5_begin();
    c->group = jd_hdf5_new_group(s->hdf5, name);
    jd_hdf5_end();
    s->broken |= c->group < 0;
    s->tables = c;
    *out = c;
    return JD_OK;
}

static char *next_cell(jd_stream_columns *c) {
    int i = c->cell++;
    return c->block[i] + (size_t)c->rows * cell_size(&c->column[i]);
}

void jd_stream_real(jd_stream_columns *c, double value) {
    memcpy(next_cell(c), &value, sizeof value);
}

void jd_stream_reals(jd_stream_columns *c, const double *value) {
    size_t size = cell_size(&c->column[c->cell]);
    memcpy(next_cell(c), value, size);
}

void jd_stream_text(jd_stream_columns *c, const char *text) {
    size_t width = (size_t)c->column[c->cell].width, n = strlen(text);
    char *to = next_cell(c);
    memset(to, 0, width);
    memcpy(to, text, n < width ? n : width);
}

// `last`: the table has no more rows than those in the block.
static hid_t make_set(const jd_stream_columns *c, int i, bool last) {
    char name[256];
    jd_hdf5_link_name(c->column[i].name, name, sizeof name);
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    hsize_t now = last ? (hsize_t)c->rows : 0, most = last ? now : H5S_UNLIMITED;
    hsize_t block = (hsize_t)c->most;
    if (!last) H5Pset_chunk(plan, 1, &block);
    hid_t space = H5Screate_simple(1, &now, &most), type = cell_type(&c->column[i], H5T_IEEE_F64LE);
    hid_t cache = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(cache, 0, 0, 1); // chunks are written whole: none has to be kept
    hid_t set = H5Dcreate2(c->group, name, type, space, H5P_DEFAULT, plan, cache);
    H5Pclose(cache);
    if (set >= 0 && c->column[i].unit) jd_hdf5_put_text(set, "unit", c->column[i].unit);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(plan);
    return set;
}

// Appends the block to one dataset.
static bool append(const jd_stream_columns *c, int i) {
    hsize_t from = c->done, count = (hsize_t)c->rows, size = from + count;
    if (from > 0 || count == (hsize_t)c->most)
        if (H5Dset_extent(c->set[i], &size) < 0) return false;
    hid_t space = H5Dget_space(c->set[i]), memory = H5Screate_simple(1, &count, NULL);
    hid_t type = cell_type(&c->column[i], H5T_NATIVE_DOUBLE);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL);
    bool fine = H5Dwrite(c->set[i], type, memory, space, H5P_DEFAULT, c->block[i]) >= 0;
    H5Tclose(type);
    H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

static void write_block(jd_stream_columns *c, bool last) {
    bool fine = !c->owner->broken && jd_room(c->owner->context, JD_HDF5_PIECE) == JD_OK;
    jd_hdf5_begin();
    for (int i = 0; fine && i < c->n; i++) {
        if (c->set[i] == 0) c->set[i] = make_set(c, i, last && c->rows < c->most);
        fine = c->set[i] >= 0 && (c->rows == 0 || append(c, i));
    }
    jd_hdf5_end();
    c->owner->broken |= !fine;
    c->done += (hsize_t)c->rows;
    c->rows = 0;
}

static jd_status disk_status(jd_stream *s) {
    if (s->disk.error) return jd_file_failed(&s->file, s->disk.error);
    if (s->broken)
        return jd_fail(s->context, JD_OUT_OF_MEMORY, "not enough memory to write `%s`",
                       s->file.path);
    return JD_OK;
}

jd_status jd_stream_row(jd_stream_columns *c) {
    c->cell = 0;
    if (++c->rows < c->most) return JD_OK;
    write_block(c, false);
    return disk_status(c->owner);
}

jd_status jd_stream_bytes(jd_stream *s, const char *name, const void *bytes, size_t size) {
    hsize_t n = size;
    JD_TRY(jd_room(s->context, JD_HDF5_PIECE));
    jd_hdf5_begin();
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL);
    H5Pset_obj_track_times(plan, false);
    hid_t set = H5Dcreate2(s->hdf5, name, H5T_STD_U8LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    s->broken |=
        set < 0 || H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Pclose(plan);
    jd_hdf5_end();
    return disk_status(s);
}

static void close_hdf5(jd_stream *s) {
    free(s->reserve);
    s->reserve = NULL;
    jd_hdf5_begin();
    for (jd_stream_columns *c = s->tables; c; c = c->next) {
        for (int i = 0; i < c->n; i++)
            if (c->set[i] > 0) H5Dclose(c->set[i]);
        if (c->group >= 0) H5Gclose(c->group);
    }
    s->tables = NULL;
    if (s->hdf5 >= 0 && H5Fclose(s->hdf5) < 0) s->broken = true;
    s->hdf5 = -1;
    jd_disk_done(&s->disk);
    jd_hdf5_end();
}

static void copy_spare(jd_stream *s) { // a failure stays in the stream: commit reports it
    char bytes[1 << 14];
    size_t n;
    rewind(s->spare);
    while ((n = fread(bytes, 1, sizeof bytes, s->spare)) > 0)
        if (fwrite(bytes, 1, n, s->file.stream) != n) return;
}

jd_status jd_stream_commit(jd_stream *s, const json_t *document, const jd_origin *origin) {
    for (jd_stream_columns *c = s->tables; c; c = c->next) write_block(c, true);
    jd_hdf5_begin();
    s->broken |=
        jd_room(s->context, JD_HDF5_PIECE) != JD_OK || !jd_hdf5_put_root(s->hdf5, document, origin);
    close_hdf5(s);
    jd_hdf5_end();
    jd_status status = disk_status(s);
    if (status == JD_OK) {
        int number = jd_seal_put(s->disk.fd);
        if (number) status = jd_file_failed(&s->file, number);
    }
    if (status == JD_OK) {
        if (s->spare) copy_spare(s);
        status = jd_file_commit(&s->file);
    }
    jd_stream_abandon(s);
    return status;
}

void jd_stream_abandon(jd_stream *s) {
    if (!s) return;
    close_hdf5(s);
    if (s->spare) fclose(s->spare);
    jd_file_abandon(&s->file);
    jd_arena_free(s->arena);
}

jd_status jd_hdf5_write(jd_context *context, const char *path, const json_t *document,
                        const jd_origin *origin) {
    jd_stream *s;
    JD_TRY(jd_stream_open(context, path, &s));
    return jd_stream_commit(s, document, origin);
}
