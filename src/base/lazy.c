// lazy.c -- loads a library by the names of its files and looks its functions up.
//   What could not be found is left as `missing`, and tried again by the next call.
//   A program that is itself linked with the library may hold copies of its variables (copy
//   relocations), which the library then uses: those are found before the library's own.
#define _GNU_SOURCE // RTLD_DEFAULT; NOLINT(bugprone-reserved-identifier)
#include "base/lazy.h"

#include <dlfcn.h>
#include <string.h>
#include <threads.h>

// dlopen and dlerror: one library at a time, so that the message is that of the failure.
static mtx_t lock, hdf5;
static once_flag once = ONCE_FLAG_INIT;
static void make_lock(void) {
    mtx_init(&lock, mtx_plain);
    mtx_init(&hdf5, mtx_plain | mtx_recursive);
}

void jd_hdf5_take(void) {
    call_once(&once, make_lock);
    mtx_lock(&hdf5);
}

void jd_hdf5_give(void) { mtx_unlock(&hdf5); }

// Stands for functions of libraries that are not there.
static long missing(void) { return -1; }

// NULL, or why not. A library stays loaded: its functions may be called until the program ends.
static const char *load_locked(jd_lazy *l) {
    void *handle[8] = {0};
    int n = 0;
    bool theirs = false; // the last library is there already
    for (; l->file[n] && n < 8; n++) {
        // those but the last are for the last to use: LAPACKE and MUMPS call OpenBLAS
        int scope = l->file[n + 1] ? RTLD_GLOBAL : RTLD_LOCAL;
        void *there = dlopen(l->file[n], RTLD_LAZY | RTLD_NOLOAD);
        theirs = there != NULL;
        if (there) dlclose(there);
        handle[n] = dlopen(l->file[n], RTLD_LAZY | scope);
        if (!handle[n]) return dlerror();
    }
    for (int i = 0; l->name[i]; i++) {
        void *found = theirs ? dlsym(RTLD_DEFAULT, l->name[i]) : NULL;
        for (int k = 0; k < n && !found; k++) found = dlsym(handle[k], l->name[i]);
        if (!found) return dlerror();
        l->slot[i] = found;
    }
    return NULL;
}

static bool fill_locked(jd_lazy *l, char *why, size_t size) {
    if (atomic_load_explicit(&l->loaded, memory_order_relaxed)) return true;
    const char *failure = load_locked(l);
    if (!failure) {
        atomic_store_explicit(&l->loaded, true, memory_order_release);
        return true;
    }
    strncpy(why, failure, size - 1);
    long (*function)(void) = missing;
    for (int i = 0; l->name[i]; i++) memcpy(&l->slot[i], &function, sizeof function);
    return false;
}

static bool fill(jd_lazy *l, char *why, size_t size) {
    call_once(&once, make_lock);
    mtx_lock(&lock);
    bool filled = fill_locked(l, why, size);
    mtx_unlock(&lock);
    return filled;
}

void jd_lazy_fill(jd_lazy *library) {
    char why[200] = "";
    fill(library, why, sizeof why);
}

jd_status jd_lazy_ready(jd_context *context, jd_lazy *l) {
    char why[200] = "";
    if (atomic_load_explicit(&l->loaded, memory_order_acquire) || fill(l, why, sizeof why))
        return JD_OK;
    if (strstr(why, "memory") || strstr(why, "map segment"))
        return jd_fail(context, JD_OUT_OF_MEMORY, "not enough memory to load a library: %s", why);
    jd_fail(context, JD_CANNOT_LOAD, "a library cannot be loaded: %s", why);
    jd_fail_hint(context, "install it; `make deps` names the Debian packages");
    return JD_CANNOT_LOAD;
}
