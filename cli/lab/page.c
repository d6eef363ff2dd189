// page.c -- files of the page, and pictures of the gallery, as answers to a browser.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/lab.h"
#include "lazy/civetweb.h"

enum { LARGEST = 8 << 20 }; // bytes of a file

// The page loads nothing from elsewhere and may be shown in no other one.
static const char headers[] =
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' "
    "'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; media-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Connection: close\r\n";

static const char *words(int status) {
    return status == 200   ? "OK"
           : status == 403 ? "Forbidden"
           : status == 404 ? "Not Found"
           : status == 405 ? "Method Not Allowed"
                           : "Service Unavailable";
}

static void begin(lab_connection *connection, int status, const char *type, size_t size) {
    char text[1200];
    int n = snprintf(text, sizeof text,
                     "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n%s\r\n", status,
                     words(status), type, size, headers);
    if (n > 0 && n < (int)sizeof text) mg_write(connection, text, (size_t)n);
}

int page_refuse(lab_connection *connection, int status, const char *why) {
    begin(connection, status, "text/plain; charset=utf-8", strlen(why));
    mg_write(connection, why, strlen(why));
    return status;
}

static const char *type_of(const char *name) {
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".ico", "image/x-icon"},
                                           {NULL, NULL}};
    const char *dot = strrchr(name, '.');
    for (int i = 0; dot && types[i][0]; i++)
        if (strcmp(dot, types[i][0]) == 0) return types[i][1];
    return NULL; // nothing else is served
}

static char *read_all(int fd, size_t size) {
    char *data = malloc(size + 1);
    size_t done = 0;
    for (ssize_t n = 1; data && done < size && n > 0; done += n > 0 ? (size_t)n : 0)
        n = read(fd, data + done, size - done);
    if (data && done == size) return data;
    free(data);
    return NULL;
}

// The folder's own file of that name: no links out of it, no devices.
static int send_from(lab_connection *connection, const char *folder, const char *name) {
    const char *type = type_of(name);
    int root = type && guard_name(name) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int fd = root >= 0 ? openat(root, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    struct stat info;
    char *data = NULL;
    size_t size = 0;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= LARGEST) {
        size = (size_t)info.st_size;
        data = read_all(fd, size);
    }
    if (fd >= 0) close(fd);
    if (root >= 0) close(root);
    if (!data) return page_refuse(connection, 404, "there is no such file\n");
    begin(connection, 200, type, size);
    mg_write(connection, data, size);
    free(data);
    return 200;
}

int page_send(lab_connection *connection, const lab_setup *lab, const char *name) {
    static const char gallery[] = "gallery/";
    if (name[0] == '\0') name = "index.html";
    if (strncmp(name, gallery, sizeof gallery - 1) != 0)
        return send_from(connection, lab->page, name);
    if (!lab->gallery) return page_refuse(connection, 404, "the gallery is not installed\n");
    return send_from(connection, lab->gallery, name + sizeof gallery - 1);
}
