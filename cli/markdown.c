// markdown.c -- docs/guide/model.md, made by `judder list --markdown` from the parameter tables.
#include <string.h>

#include "command.h"

static const char head[] =
    "# The model file\n\n"
    "<!-- made by `judder list --markdown`; edit the parameter tables instead -->\n\n"
    "A model is one YAML file that begins with `judder: 1`. `judder new` prints commented "
    "examples,\n"
    "`judder check` says what a model is, `judder list` shows the tables below in a terminal.\n\n"
    "| top-level key | holds |\n|---|---|\n"
    "| `judder` | version of the format: 1; required |\n"
    "| `title` | a line of text |\n"
    "| `units` | `SI`: numbers without a unit are in SI, beside those with one; left out: see "
    "below "
    "|\n"
    "| `structure` | what vibrates: one of the structures below |\n"
    "| `bodies` | instead of `structure`: name -> structure, for several bodies |\n"
    "| `connections` | name -> linear spring or dashpot between two points, or a point and the "
    "ground |\n"
    "| `contacts` | name -> contact |\n"
    "| `drives` | name -> drive |\n"
    "| `start` | how it starts: one of the starts below |\n"
    "| `simulate` `orbit` `follow` `nsm` `kernel` `sweep` `output` | what to compute: the sections "
    "below "
    "|\n\n"
    "## Numbers and units\n\n"
    "- A number may carry a unit: `2.47 m`, `1.09e4 N m^2`, `10 kN`. Its dimension is checked, "
    "and\n"
    "  results are SI. `Hz` and `rpm` mean cycles wherever an angular frequency is wanted.\n"
    "- Bare numbers are taken in one consistent system of your own. Mixing the two in one model "
    "is\n"
    "  refused; dimensionless keys and 0 are exempt. With `units: SI` bare numbers are SI.\n"
    "- A frequency is a number, or `{times: 1.1, mode: 1}`: 1.1 times the first natural "
    "frequency.\n"
    "- A duration is a time, or `100 periods` of the slowest harmonic drive.\n"
    "- A count is a whole number, `all`, or `infinite` where the structure has a closed form.\n"
    "- A word where a typed map is expected means `{type: word}`: `damping: none`, `start: rest`.\n"
    "- A point is a position along the structure, or `{node: 5}`. Points are named in `points` and "
    "used\n"
    "  by name; with several bodies, `body.point`.\n"
    "- A span is `{body: pile, span: [25 m, 50 m]}`.\n"
    "- Paths to files start at the model file's folder.\n"
    "- Signs: [signs.md](signs.md).\n\n"
    "`--set path=value` changes any value: `--set contacts.tip.law.limit=2`, `--set "
    "structure.damping=none`.\n"
    "The value is YAML; a bare number keeps the unit written in the file.\n";

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void print_cell(const char *text, FILE *stream) { // | would end the cell
    for (; *text; text++) {
        if (*text == '|') fputc('\\', stream);
        fputc(*text, stream);
    }
}

static void print_key(const json_t *key, FILE *stream) {
    const char *allowed = text_of(key, "allowed"), *kind = text_of(key, "kind");
    fprintf(stream, "| `%s` | ", text_of(key, "key"));
    print_cell(kind, stream);
    fputs(" | ", stream);
    print_cell(text_of(key, "unit"), stream);
    fputs(" | ", stream);
    print_cell(text_of(key, "default"), stream);
    fputs(" | ", stream);
    print_cell(allowed, stream);
    fputs(" | ", stream);
    print_cell(text_of(key, "doc"), stream);
    fputs(" |\n", stream);
}

static void print_type(const json_t *type, FILE *stream) {
    size_t i;
    json_t *key;
    fprintf(stream, "\n### `%s`\n\n%s\n", text_of(type, "name"), text_of(type, "doc"));
    json_array_foreach(json_object_get(type, "keys"), i, key) {
        if (i == 0) {
            fputs("\n| key | holds | unit | default | allowed | meaning "
                  "|\n|---|---|---|---|---|---|\n",
                  stream);
        }
        print_key(key, stream);
    }
}

void reference_markdown(const json_t *tree, FILE *stream) {
    const char *kind;
    json_t *list, *type;
    size_t i;
    fputs(head, stream);
    json_object_foreach((json_t *)tree, kind, list) {
        fprintf(stream, "\n## %c%s\n", kind[0] - 'a' + 'A', kind + 1);
        json_array_foreach(list, i, type) print_type(type, stream);
    }
}
