/* envelope.c - smallest and largest. */
#include "envelope.h"
#include <inttypes.h>

static void take(WfEnvelope *e, int axis, int64_t least, int64_t most) {
  if (e->n[axis] == 0 || least < e->least[axis])
    e->least[axis] = least;
  if (e->n[axis] == 0 || most > e->most[axis])
    e->most[axis] = most;
  e->n[axis]++;
}

void wf_envelope_take(WfEnvelope *e, const WfCase *c, const SimtStats *stats) {
  for (int i = 0; i < c->op->n_dims; i++)
    take(e, i, c->dim[i], c->dim[i]);
  if (stats->launches != 1 || stats->blocks == 0)
    return;
  take(e, WF_ENVELOPE_BLOCK, (int64_t)(stats->threads / stats->blocks), (int64_t)(stats->threads / stats->blocks));
  take(e, WF_ENVELOPE_GRID, (int64_t)stats->blocks, (int64_t)stats->blocks);
}

void wf_envelope_join(WfEnvelope *to, const WfEnvelope *from) {
  for (int axis = 0; axis < WF_ENVELOPE_AXES; axis++) {
    if (from->n[axis] == 0)
      continue;
    take(to, axis, from->least[axis], from->most[axis]);
    to->n[axis] += from->n[axis] - 1;
  }
}

static void print_axis(FILE *out, const WfEnvelope *e, int axis, const char *before, const char *behind) {
  int64_t least = e->least[axis], most = e->most[axis];
  fprintf(out, "%s%" PRId64, before, least);
  if (most != least)
    fprintf(out, "..%" PRId64, most);
  fputs(behind, out);
}

void wf_envelope_print(FILE *out, const WfEnvelope *e, const WfOp *op) {
  if (e->n[0] == 0) {
    fputs("nothing", out);
    return;
  }
  for (int i = 0; i < op->n_dims; i++) {
    fprintf(out, "%s%s ", i ? ", " : "", op->dims[i].name);
    print_axis(out, e, i, "", "");
  }
  if (e->n[WF_ENVELOPE_BLOCK]) {
    print_axis(out, e, WF_ENVELOPE_BLOCK, ", ", e->most[WF_ENVELOPE_BLOCK] == 1 ? " thread a block" : " threads a block");
    print_axis(out, e, WF_ENVELOPE_GRID, ", ", e->most[WF_ENVELOPE_GRID] == 1 ? " block run" : " blocks run");
  }
}
