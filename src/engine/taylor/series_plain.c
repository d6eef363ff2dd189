// series_plain.c -- the inner loops for any processor.
#define JD_EXPANSION_KERNEL jd_expansion_plain
#include "engine/taylor/series_body.h"
