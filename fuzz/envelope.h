/* envelope.h - between what a campaign has been: the smallest and largest of each dim, and of the launches as they were. */
#ifndef WF_ENVELOPE_H
#define WF_ENVELOPE_H
#include "case.h"
#include "../simt/simt.h"
#include <stdatomic.h>

enum { WF_ENVELOPE_BLOCK = WF_MAX_DIMS, WF_ENVELOPE_GRID, WF_ENVELOPE_AXES };

/* Starts as zero bytes. One process writes; others may read meanwhile. */
typedef struct WfEnvelope {
  _Atomic uint64_t n[WF_ENVELOPE_AXES]; /* 0: nothing is known of it */
  _Atomic int64_t least[WF_ENVELOPE_AXES], most[WF_ENVELOPE_AXES];
} WfEnvelope;

/* stats: of one run. Launches count as they took place, whatever the case says; where a run had several, they are not told apart. */
void wf_envelope_take(WfEnvelope *e, const WfCase *c, const SimtStats *stats);
void wf_envelope_join(WfEnvelope *to, const WfEnvelope *from);

/* "rows 1..300, cols 1..2999, 1..1024 threads a block, 1..300 blocks run"; "nothing". Of too large a case only some blocks run. */
void wf_envelope_print(FILE *out, const WfEnvelope *e, const WfOp *op);

#endif
