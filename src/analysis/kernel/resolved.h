// resolved.h -- memory kernel of the modes above N at a contact, the N lowest being variables.
//   y = (y1, a_2 ... a_N; rates), as in models closed by a finite wave speed       (42), (43)
#ifndef JD_ANALYSIS_RESOLVED_H
#define JD_ANALYSIS_RESOLVED_H

#include "judder/kernel.h"
#include "kernel/reduced.h"

// One contact. memory: L1 at the times, from reduced; becomes `out`, in the arena. Refuses other
// numbers of contacts, N without the mode of W, more modes than there are, and overdamped ones.
jd_status jd_resolve(jd_arena *arena, const jd_reduced *reduced, int N, const jd_kernel_view *view,
                     jd_kernel_resolved *out);

#endif
