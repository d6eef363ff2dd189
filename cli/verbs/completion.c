// completion.c -- judder completion: verbs and options for a shell to complete, from the tables of
//   the verbs.
#include <string.h>

#include "command.h"

// Calls `put` for every listed option of a verb, its own first.
static void each_option(const verb *v, void (*put)(const option *o)) {
    for (const option *o = v->options; o && o->name; o++)
        if (o->doc) put(o);
    for (int i = 0; option_shared[i].name; i++) {
        bool taken = options_bits(v) & (1u << i);
        if (taken && option_shared[i].doc) put(&option_shared[i]);
    }
}

// A text within single quotes, as shells read it; `escape` is put before other characters that
// mean something there.
static void put_quoted(const char *text, const char *meaning) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(meaning, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void bash_option(const option *o) {
    printf(" --%s", o->name);
    if (o->letter) printf(" -%c", o->letter);
}

static void print_bash(void) {
    fputs("# bash completion of judder; made by `judder completion bash`\n"
          "_judder() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} options=''\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    for (int i = 0; verbs[i]; i++) printf("%s ", verbs[i]->name);
    fputs("--help --version' -- \"$word\"))\n        return\n    fi\n    case $verb in\n", stdout);
    for (int i = 0; verbs[i]; i++) {
        printf("    %s) options='", verbs[i]->name);
        each_option(verbs[i], bash_option);
        fputs("' ;;\n", stdout);
    }
    fputs("    esac\n"
          "    case $word in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _judder judder\n",
          stdout);
}

static void zsh_option(const option *o) {
    printf(" \\\n            '%s--%s%s[", o->kind == OPTION_LIST ? "*" : "", o->name,
           o->value ? "=" : "");
    put_quoted(o->doc, "[]\\");
    fputs("]", stdout);
    if (o->value) {
        fputs(":", stdout);
        put_quoted(o->value, ":\\");
        fputs(o->kind == OPTION_FILE ? ":_files" : ": ", stdout);
    }
    fputs("'", stdout);
}

static void print_zsh(void) {
    fputs("#compdef judder\n# zsh completion of judder; made by `judder completion zsh`\n"
          "_judder() {\n    local -a verbs\n    verbs=(\n",
          stdout);
    for (int i = 0; verbs[i]; i++) {
        printf("        '%s:", verbs[i]->name);
        put_quoted(verbs[i]->doc, ":\\");
        fputs("'\n", stdout);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n        return\n"
          "    fi\n    local verb=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
          "    case $verb in\n",
          stdout);
    for (int i = 0; verbs[i]; i++) {
        printf("    %s)\n        _arguments", verbs[i]->name);
        each_option(verbs[i], zsh_option);
        fputs(" \\\n            '*:file:_files' ;;\n", stdout);
    }
    fputs("    esac\n}\n_judder \"$@\"\n", stdout);
}

static const char *fish_verb;
static void fish_option(const option *o) {
    printf("complete -c judder -n '__fish_seen_subcommand_from %s' -l %s", fish_verb, o->name);
    if (o->letter) printf(" -s %c", o->letter);
    if (o->value) fputs(" -r", stdout);
    fputs(" -d '", stdout);
    for (const char *t = o->doc; *t; t++) printf(*t == '\'' || *t == '\\' ? "\\%c" : "%c", *t);
    fputs("'\n", stdout);
}

static void print_fish(void) {
    fputs("# fish completion of judder; made by `judder completion fish`\n", stdout);
    for (int i = 0; verbs[i]; i++) {
        fish_verb = verbs[i]->name;
        printf("complete -c judder -n __fish_use_subcommand -f -a %s -d '", fish_verb);
        for (const char *t = verbs[i]->doc; *t; t++)
            printf(*t == '\'' || *t == '\\' ? "\\%c" : "%c", *t);
        fputs("'\n", stdout);
        each_option(verbs[i], fish_option);
    }
}

static jd_status run_completion(call *c) {
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(c->argument[0], shells[i].name) != 0) continue;
        shells[i].print();
        return JD_OK;
    }
    jd_fail(c->context, JD_BAD_USAGE, "there is no completion for the shell `%s`", c->argument[0]);
    jd_fail_hint(c->context, "bash, zsh or fish");
    return JD_BAD_USAGE;
}

const verb verb_completion = {
    .name = "completion",
    .arguments = "SHELL",
    .doc = "completion for bash, zsh or fish",
    .help = "Prints a script for the shell. `make install` puts it where shells look for it.\n"
            "By hand, for bash: `judder completion bash >\n"
            "~/.local/share/bash-completion/completions/judder`.\n",
    .least = 1,
    .most = 1,
    .run = run_completion,
};
