// guard.c -- checks of what a browser or another program sends, on texts alone.
#include "lab/guard.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum { LONGEST_NAME = 200 };

bool guard_token(char out[GUARD_TOKEN + 1]) {
    unsigned char byte[GUARD_TOKEN / 2];
    if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte) return false;
    for (size_t i = 0; i < sizeof byte; i++) snprintf(out + 2 * i, 3, "%02x", byte[i]);
    return true;
}

static bool is_port(const char *text) {
    size_t n = strspn(text, "0123456789");
    return n > 0 && n <= 5 && text[n] == '\0';
}

bool guard_host(const char *host) {
    static const char *const name[] = {"127.0.0.1", "localhost", "[::1]"};
    for (int i = 0; host && i < 3; i++) {
        size_t n = strlen(name[i]);
        if (strncmp(host, name[i], n) != 0) continue;
        if (host[n] == '\0' || (host[n] == ':' && is_port(host + n + 1))) return true;
    }
    return false;
}

bool guard_origin(const char *origin, const char *host) {
    static const char scheme[] = "http://";
    if (!origin) return true;
    return host && strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcmp(origin + sizeof scheme - 1, host) == 0;
}

// All characters are compared, so that the time taken tells nothing about where they differ.
const char *guard_path(const char *uri, const char *token) {
    unsigned difference = 0;
    if (!uri || uri[0] != '/' || strlen(uri) < GUARD_TOKEN + 2) return NULL;
    for (int i = 0; i < GUARD_TOKEN; i++) difference |= (unsigned)(uri[1 + i] ^ token[i]);
    if (difference != 0 || uri[1 + GUARD_TOKEN] != '/') return NULL;
    return uri + GUARD_TOKEN + 2;
}

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

bool guard_name(const char *name) {
    size_t n = strlen(name);
    bool begins = true; // of a word
    if (n == 0 || n > LONGEST_NAME) return false;
    for (size_t i = 0; i < n; i++) {
        bool slash = name[i] == '/';
        if (slash ? begins || i + 1 == n : !is_plain(name[i])) return false;
        if (begins && name[i] == '.') return false;
        begins = slash;
    }
    return true;
}
