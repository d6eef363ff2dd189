// legend.c -- what the letters of contact states mean, behind a line that shows them.
#include "command.h"

void legend_add(letters *seen, const char *phase) {
    for (; *phase; phase++) {
        int state = (int)jd_contact_state_of(*phase);
        if (state < JD_CONTACT_STATE_COUNT) seen->bits |= 1u << state;
    }
}

void legend_print(const letters *seen, FILE *stream) {
    static const struct {
        unsigned states;
        const char *text;
    } words[] = {{1u << JD_CONTACT_STUCK, "H stuck"},
                 {1u << JD_CONTACT_SLIDING_PLUS | 1u << JD_CONTACT_SLIDING_MINUS, "+ - sliding"},
                 {1u << JD_CONTACT_OPEN, "o open"},
                 {1u << JD_CONTACT_CLOSED_ABOVE | 1u << JD_CONTACT_CLOSED_BELOW, "| closed"}};
    int n = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (seen->bits & words[i].states)
            fprintf(stream, "%s%s", n++ ? ", " : "  (", words[i].text);
    if (n) fputc(')', stream);
}
