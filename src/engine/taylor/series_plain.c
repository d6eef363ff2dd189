// series_plain.c -- the inner loops for any processor.
#define JD_SERIES_KERNEL jd_series_plain
#include "engine/taylor/series_body.h"
