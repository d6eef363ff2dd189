// vtu.c -- unstructured grids with point data for ParaView: .vtu files and their series (.pvd).
//   VTK XML, arrays inline: base64 of (count of bytes as UInt64, then the bytes), as VTK reads
//   uncompressed binary arrays.
#include "result/mesh/vtu.h"

#include <stdint.h>
#include <string.h>

#include "result/file/file.h"

// Base64 of a stream of bytes: three of them at a time.
typedef struct encoder {
    FILE *stream;
    unsigned char held[3];
    int n;
} encoder;

static void put_triple(encoder *e) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = e->held;
    char out[4] = {digits[b[0] >> 2], digits[(b[0] & 3) << 4 | b[1] >> 4],
                   e->n > 1 ? digits[(b[1] & 15) << 2 | b[2] >> 6] : '=',
                   e->n > 2 ? digits[b[2] & 63] : '='};
    fwrite(out, 1, 4, e->stream); // its failure stays in the stream: commit reports it
    memset(e->held, 0, sizeof e->held);
    e->n = 0;
}

static void put_bytes(encoder *e, const void *from, size_t n) {
    const unsigned char *byte = from;
    for (size_t i = 0; i < n; i++) {
        e->held[e->n++] = byte[i];
        if (e->n == 3) put_triple(e);
    }
}

// Text in an attribute: quotes and brackets by name, control characters left out.
static void put_text(FILE *f, const char *text) {
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", f);
        else if (*text == '<')
            fputs("&lt;", f);
        else if (*text == '>')
            fputs("&gt;", f);
        else if (*text == '"')
            fputs("&quot;", f);
        else if ((unsigned char)*text >= 0x20)
            fputc(*text, f);
    }
}

static void begin_array(FILE *f, const char *type, const char *name, int components, size_t bytes,
                        encoder *e) {
    uint64_t size = bytes;
    fprintf(f, "<DataArray type=\"%s\" Name=\"", type);
    put_text(f, name);
    fprintf(f, "\" NumberOfComponents=\"%d\" format=\"binary\">", components);
    *e = (encoder){.stream = f};
    put_bytes(e, &size, sizeof size);
}

static void end_array(FILE *f, encoder *e) {
    if (e->n) put_triple(e);
    fputs("</DataArray>\n", f);
}

static void put_reals(FILE *f, const char *name, int components, size_t n, const double *value) {
    encoder e;
    begin_array(f, "Float64", name, components, n * sizeof *value, &e);
    put_bytes(&e, value, n * sizeof *value);
    end_array(f, &e);
}

static void put_wholes(FILE *f, const char *name, size_t n, const int *value) {
    encoder e;
    begin_array(f, "Int32", name, 1, n * sizeof(int32_t), &e);
    for (size_t i = 0; i < n; i++) put_bytes(&e, &(int32_t){value[i]}, sizeof(int32_t));
    end_array(f, &e);
}

static void put_types(FILE *f, size_t n, const int *type) {
    encoder e;
    begin_array(f, "UInt8", "types", 1, n, &e);
    for (size_t i = 0; i < n; i++) put_bytes(&e, &(unsigned char){(unsigned char)type[i]}, 1);
    end_array(f, &e);
}

static void begin_file(FILE *f, const char *type) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    fprintf(f,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n",
            type, first ? "LittleEndian" : "BigEndian");
}

static void put_grid(FILE *f, const jd_vtu *g) {
    size_t n = (size_t)g->n_point, cells = (size_t)g->n_cell;
    fputs("<UnstructuredGrid>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" ", f);
    fprintf(f, "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n</FieldData>\n", g->time);
    fprintf(f, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", g->n_point, g->n_cell);
    fputs("<Points>\n", f);
    put_reals(f, "Points", 3, 3 * n, g->point);
    fputs("</Points>\n<Cells>\n", f);
    put_wholes(f, "connectivity", cells ? (size_t)g->start[cells] : 0, g->corner);
    put_wholes(f, "offsets", cells, g->start + 1);
    put_types(f, cells, g->type);
    fputs("</Cells>\n<PointData>\n", f);
    for (int i = 0; i < g->n_array; i++) {
        const jd_vtu_array *a = &g->array[i];
        if (a->real)
            put_reals(f, a->name, a->components, n * (size_t)a->components, a->real);
        else
            put_wholes(f, a->name, n, a->whole);
    }
    fputs("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", f);
}

jd_status jd_vtu_write(jd_context *context, const char *path, const jd_vtu *grid) {
    jd_file file;
    JD_TRY(jd_file_open(context, path, &file));
    begin_file(file.stream, "UnstructuredGrid");
    put_grid(file.stream, grid);
    return jd_file_commit(&file);
}

jd_status jd_pvd_write(jd_context *context, const char *path, int n, const double *time,
                       const char *const *name) {
    jd_file file;
    JD_TRY(jd_file_open(context, path, &file));
    begin_file(file.stream, "Collection");
    fputs("<Collection>\n", file.stream);
    for (int i = 0; i < n; i++) {
        fprintf(file.stream, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", time[i]);
        put_text(file.stream, name[i]);
        fputs("\"/>\n", file.stream);
    }
    fputs("</Collection>\n</VTKFile>\n", file.stream);
    return jd_file_commit(&file);
}
