// supports.c -- how the ends of strings, rods and beams are held.
#include "structure/continua/supports.h"

static const char *const choices_wave[] = {"free", "fixed", NULL};
static const char *const choices_beam[] = {"free",   "fixed",   "clamped", "pinned",
                                           "guided", "sliding", NULL};

enum { SLIDING = JD_GUIDED + 1 };

// clang-format off
#define END(side, list, standard)                                                                  \
    {JD_KEY(jd_supports, side, CHOICE), .unit = "", .preset = (standard), .choices = (list),       \
     .doc = "how the " #side " end is held"}
// clang-format on

#define SUPPORTS(symbol, list, at_left, at_right)                                                  \
    static const jd_param symbol##_params[] = {                                                    \
        END(left, list, at_left), END(right, list, at_right), {.key = NULL}};                      \
    static const jd_type symbol##_type = {"supports", "how the two ends are held",                 \
                                          sizeof(jd_supports), symbol##_params, NULL};             \
    const jd_type *const jd_supports_##symbol[] = {&symbol##_type, NULL};

SUPPORTS(fixed_fixed, choices_wave, JD_FIXED, JD_FIXED)
SUPPORTS(fixed_free, choices_wave, JD_FIXED, JD_FREE)
SUPPORTS(clamped_free, choices_beam, JD_CLAMPED, JD_FREE)

int jd_support_of_beam(int choice) {
    if (choice == JD_FIXED) return JD_CLAMPED;
    if (choice == SLIDING) return JD_GUIDED;
    return choice >= JD_FREE && choice <= JD_GUIDED ? choice : -1;
}

int jd_support_of_wave(int choice) { return choice == JD_FREE || choice == JD_FIXED ? choice : -1; }
