// version.c -- the library's version, set by the build.
#include "judder/context.h"

const char *jd_version(void) { return JD_VERSION; }
