// json.c -- helper of run.sh: reads one JSON object from stdin and nothing else, fails when there
// is anything else, and prints the value at a path such as modes.0.omega (a size for arrays,
// objects). With slashes, words may have dots: samples/pile.tip.u/20.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const json_t *step(const json_t *v, const char *key) {
    return json_is_array(v) ? json_array_get(v, strtoul(key, NULL, 10)) : json_object_get(v, key);
}

static int print(const json_t *v) {
    if (!v) return 1;
    if (json_is_string(v)) return printf("%s\n", json_string_value(v)) < 0;
    if (json_is_number(v)) return printf("%.16g\n", json_number_value(v)) < 0;
    size_t n = json_is_array(v) ? json_array_size(v) : json_object_size(v);
    return printf("%zu\n", n) < 0;
}

int main(int argc, char **argv) {
    json_error_t error;
    json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
    if (!root || !json_is_object(root)) {
        fprintf(stderr, "not one JSON object: %s (line %d)\n", error.text, error.line);
        return 2;
    }
    const json_t *v = root;
    if (argc > 1) {
        const char *between = strchr(argv[1], '/') ? "/" : ".";
        for (char *key = strtok(argv[1], between); key; key = strtok(NULL, between))
            v = step(v, key);
    }
    int code = print(v);
    json_decref(root);
    return code;
}
