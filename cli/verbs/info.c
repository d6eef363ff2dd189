// info.c -- judder info: where a result file comes from and what is in it.
#include <string.h>

#include "command.h"

static const char *text_of(const json_t *info, const char *key) {
    const char *text = json_string_value(json_object_get(info, key));
    return text ? text : "";
}

static const char *clean_of(call *c, const json_t *info, const char *key) {
    return clean_text(c, text_of(info, key));
}

static const char *shape_of(call *c, const json_t *entry) {
    const char *text = "";
    size_t i;
    json_t *size;
    json_array_foreach(json_object_get(entry, "shape"), i, size) {
        const char *longer = jd_arena_format(c->arena, "%s%s%" JSON_INTEGER_FORMAT, text,
                                             i ? " x " : "", json_integer_value(size));
        if (longer) text = longer;
    }
    return text;
}

static void print_info(call *c, const json_t *info) {
    const char *title = text_of(info, "title");
    printf("%s, %s of judder %s\n", clean_text(c, c->argument[0]), clean_of(c, info, "kind"),
           clean_of(c, info, "judder_version"));
    if (title[0]) printf("  title    %s\n", clean_text(c, title));
    printf("  command  %s\n  units    %s\n  model    %zu bytes\n\n", clean_of(c, info, "command"),
           clean_of(c, info, "units"), strlen(text_of(info, "model")));
    table *t = table_create(c, "lrl");
    table_row(t, (const char *[]){"dataset", "size", "unit"});
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(info, "contents"), i, entry) {
        table_row(t, (const char *[]){text_of(entry, "path"), shape_of(c, entry),
                                      text_of(entry, "unit")});
    }
    table_print(t, "  ", stdout);
}

static jd_status run_info(call *c) {
    json_t *info;
    JD_TRY(jd_hdf5_info(c->context, c->argument[0], &info));
    if (c->json) {
        jd_json_write(info, stdout);
    } else if (!c->quiet) {
        print_info(c, info);
    }
    json_decref(info);
    return JD_OK;
}

const verb verb_info = {
    .name = "info",
    .arguments = "RESULT.h5",
    .doc = "what a result file is and holds",
    .help = "Says which command, version and model made a result file, and what is in it.\n",
    .shared = SHARED_JSON | SHARED_QUIET,
    .least = 1,
    .most = 1,
    .run = run_info,
};
