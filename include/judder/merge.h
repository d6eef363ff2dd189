// merge.h -- shards of a sweep put together (jd_sweep_take_shard).
#ifndef JUDDER_MERGE_H
#define JUDDER_MERGE_H

#include "judder/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Shards so far. Each is refused by name when it is of another sweep or version, or holds a point
// that another one holds.
typedef struct jd_merge jd_merge;
// Without shards yet.
jd_status jd_merge_create(jd_context *context, jd_merge **out);
// Puts in one shard, which belongs to the merge from now on, also when it is refused; `name` is for
// messages.
jd_status jd_merge_add(jd_merge *merge, jd_result *part, const char *name);
// The whole sweep, in the bits of one run; JD_MISSING_KEY, with names, where points are missing.
jd_status jd_merge_end(jd_merge *merge, jd_result **out);
// NULL is allowed.
void jd_merge_free(jd_merge *merge);

#ifdef __cplusplus
}
#endif

#endif
