// new.c -- judder new: a commented model file to start from.
#include <string.h>

#include "base/param_tools.h"
#include "command.h"
#include "result/file/file.h"

static jd_status list_templates(call *c) {
    if (c->json) {
        json_t *list = json_array(), *document;
        for (const model_template *t = templates; t->name; t++) {
            json_array_append_new(list, json_pack("{s:s, s:s}", "name", t->name, "doc", t->doc));
        }
        document = json_pack("{s:o}", "templates", list);
        jd_json_write(document, stdout);
        json_decref(document);
        return JD_OK;
    }
    printf("Templates (`judder new NAME -o FILE.yaml`):\n");
    for (const model_template *t = templates; t->name; t++) printf("  %-14s %s\n", t->name, t->doc);
    return JD_OK;
}

static jd_status find_template(call *c, const char *name, const model_template **out) {
    const char *names[32];
    int n = 0;
    for (const model_template *t = templates; t->name && n < 32; t++) {
        names[n++] = t->name;
        *out = t;
        if (strcmp(t->name, name) == 0) return JD_OK;
    }
    const char *near = jd_nearest(name, n, names);
    jd_fail(c->context, JD_UNKNOWN_NAME, "there is no template `%s`", name);
    if (near) jd_fail_hint(c->context, "did you mean `%s`?", near);
    jd_fail_hint(c->context, "`judder new` lists the templates");
    return JD_UNKNOWN_NAME;
}

// The path of a file beside the model.
static const char *beside(call *c, const char *name) {
    const char *slash = strrchr(c->output, '/');
    int n = slash ? (int)(slash - c->output) + 1 : 0;
    return jd_arena_format(c->arena, "%.*s%s", n, c->output, name);
}

static jd_status write_text(call *c, const char *path, const char *text) {
    jd_file file;
    JD_TRY(jd_file_open(c->context, path, &file));
    fputs(text, file.stream); // its failure stays in the stream: commit reports it
    return jd_file_commit(&file);
}

static jd_status write_template(call *c, const model_template *t) {
    JD_TRY(must_be_new(c, c->output));
    for (const template_file *f = t->beside; f->name; f++) {
        const char *path = beside(c, f->name);
        JD_TRY(path ? must_be_new(c, path) : out_of_memory(c));
    }
    for (const template_file *f = t->beside; f->name; f++)
        JD_TRY(write_text(c, beside(c, f->name), f->text));
    JD_TRY(write_text(c, c->output, t->text));
    if (c->json) {
        json_t *document = json_object();
        json_object_set_new(document, "kind", json_string("new"));
        json_object_set_new(document, "written", jd_json_text(c->output));
        jd_json_write(document, stdout);
        json_decref(document);
    } else if (!c->quiet) {
        printf("%s: now try `judder check %s`\n", c->output, c->output);
    }
    return JD_OK;
}

static jd_status print_template(call *c, const model_template *t) {
    if (c->json) {
        json_t *document =
            json_pack("{s:s, s:s, s:s}", "name", t->name, "doc", t->doc, "text", t->text);
        jd_json_write(document, stdout);
        json_decref(document);
        return JD_OK;
    }
    fputs(t->text, stdout);
    if (t->beside[0].name) {
        report_warning(c, "this model reads %s and other files: -o FILE.yaml writes them beside it",
                       t->beside[0].name);
    }
    return JD_OK;
}

static jd_status run_new(call *c) {
    const model_template *t = NULL;
    if (c->n_argument == 0) return list_templates(c);
    JD_TRY(find_template(c, c->argument[0], &t));
    return c->output ? write_template(c, t) : print_template(c, t);
}

static const option options[] = {
    // name, value, doc, kind, place
    {"output", "FILE", "write the model into this file", OPTION_FILE, IN_CALL(output),
     .letter = 'o'},
    {0}};

const verb verb_new = {
    .name = "new",
    .arguments = "[TEMPLATE]",
    .doc = "a commented model file to start from",
    .help = "Prints a commented model file, or writes it to the file that -o names. Without\n"
            "a TEMPLATE it lists the templates. An existing file is only replaced with\n"
            "--force.\n",
    .shared = SHARED_JSON | SHARED_QUIET,
    .options = options,
    .least = 0,
    .most = 1,
    .run = run_new,
};
