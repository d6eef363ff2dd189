// text.h -- characters of UTF-8, and those of them that command instead of showing something.
#ifndef JD_BASE_TEXT_H
#define JD_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Bytes of the UTF-8 character at p, of which n are there; 0: it is none; -1: more bytes must come.
static inline int jd_text_length(const unsigned char *p, size_t n) {
    int length = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (p[0] >= 0xF5) return 0;
    for (int i = 1; i < length; i++) {
        if ((size_t)i >= n) return -1;
        if ((p[i] & 0xC0) != 0x80) return 0;
    }
    bool low = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90); // written too long
    bool high = (p[0] == 0xED && p[1] >= 0xA0) || (p[0] == 0xF4 && p[1] >= 0x90); // no character
    return low || high ? 0 : length;
}

// Of a character of this length: C0, DEL and C1; marks and overrides of the direction of writing,
// separators of lines and paragraphs.
static inline bool jd_text_control(const unsigned char *p, int length) {
    if (length == 1) return p[0] < 0x20 || p[0] == 0x7F;
    if (length == 2) return p[0] == 0xC2 && p[1] < 0xA0;
    if (length != 3 || p[0] != 0xE2) return false;
    return (p[1] == 0x80 && (p[2] == 0x8E || p[2] == 0x8F || (p[2] >= 0xA8 && p[2] <= 0xAE))) ||
           (p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9);
}

// In a text that ends with a zero.
static inline int jd_text_next(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    size_t n = 1;
    while (n < 4 && p[n - 1]) n++;
    int length = jd_text_length(p, n);
    return length < 0 ? 0 : length;
}

#endif
