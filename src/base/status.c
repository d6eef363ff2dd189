// status.c -- names, texts and exit codes of the status list.
#include "judder/status.h"

static const struct {
    const char *name, *text;
    int code;
} list[] = {
#define X(symbol, name, code, text) {name, text, code},
    JD_STATUS_LIST(X)
#undef X
};

static int known(jd_status s) { return (int)s >= 0 && s < JD_STATUS_COUNT; }

const char *jd_status_name(jd_status s) { return known(s) ? list[s].name : "unknown"; }
const char *jd_status_text(jd_status s) { return known(s) ? list[s].text : "no such status"; }
int jd_status_exit_code(jd_status s) { return known(s) ? list[s].code : 1; }
