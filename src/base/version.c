// version.c -- the library's version, that of the headers it was compiled with.
#include "judder/version.h"

const char *jd_version(void) { return JD_VERSION; }
int jd_version_number(void) { return JD_VERSION_NUMBER; }
