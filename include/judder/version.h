// version.h -- the version of the headers and of the library.
#ifndef JUDDER_VERSION_H
#define JUDDER_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

// Version of these headers; the build reads it from here. Before 1.0 a new minor version may change
// the interface, a new patch does not.
#define JD_VERSION_MAJOR 0
#define JD_VERSION_MINOR 2
#define JD_VERSION_PATCH 0

#define JD_VERSION_TEXT_OF(major, minor, patch) #major "." #minor "." #patch
#define JD_VERSION_TEXT(major, minor, patch) JD_VERSION_TEXT_OF(major, minor, patch)
// As text, "1.2.3".
#define JD_VERSION JD_VERSION_TEXT(JD_VERSION_MAJOR, JD_VERSION_MINOR, JD_VERSION_PATCH)
// As one number that grows, for #if: 10203 for 1.2.3.
#define JD_VERSION_NUMBER (JD_VERSION_MAJOR * 10000 + JD_VERSION_MINOR * 100 + JD_VERSION_PATCH)

// Version of the library that is linked, "1.2.3"; JD_VERSION is that of the headers.
const char *jd_version(void);
// The same as one number, to be compared with JD_VERSION_NUMBER.
int jd_version_number(void);

#ifdef __cplusplus
}
#endif

#endif
