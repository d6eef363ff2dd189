// pending.c -- a few names in static memory, taken and given back without locks.
#include "result/file/pending.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 8, NAME_SIZE = 4200, INSIDE = 16, MOST_DATA = 1000000 };
enum { FREE, TAKEN, A_FILE, A_FOLDER };

static struct {
    atomic_int state;
    char path[NAME_SIZE + INSIDE];
} place[PLACES];

static int note(const char *path, int kind) {
    size_t size = strlen(path) + 1;
    for (int i = 0; size <= NAME_SIZE && i < PLACES; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&place[i].state, &expected, TAKEN)) continue;
        memcpy(place[i].path, path, size);
        atomic_store(&place[i].state, kind);
        return i + 1;
    }
    return 0;
}

int jd_pending_file(const char *path) { return note(path, A_FILE); }
int jd_pending_folder(const char *path) { return note(path, A_FOLDER); }

void jd_pending_end(int number) {
    if (number > 0) atomic_store(&place[number - 1].state, FREE);
}

// Data files are d0, d1 ... without a gap.
static void name_data(char *name, int k) {
    char digits[INSIDE];
    int n = 0;
    do digits[n++] = (char)('0' + k % 10);
    while ((k /= 10) > 0);
    *name++ = 'd';
    while (n > 0) *name++ = digits[--n];
    *name = '\0';
}

static void remove_folder(char *path) {
    static const char *const fixed[] = {"script.gp", "picture", "errors"};
    size_t length = strlen(path);
    char *name = path + length + 1;
    path[length] = '/';
    for (int i = 0; i < 3; i++) {
        memcpy(name, fixed[i], strlen(fixed[i]) + 1);
        unlink(path);
    }
    for (int k = 0; k < MOST_DATA; k++) {
        name_data(name, k);
        if (unlink(path) != 0) break;
    }
    path[length] = '\0';
    rmdir(path);
}

void jd_pending_remove(void) {
    for (int i = 0; i < PLACES; i++) {
        int state = atomic_load(&place[i].state);
        if (state == A_FILE) unlink(place[i].path);
        if (state == A_FOLDER) remove_folder(place[i].path);
    }
}
