/* turns.c - stride scheduling by measured time. */
#include "turns.h"
#include <stdlib.h>

int wf_turns_init(WfTurns *t, size_t n) {
  *t = (WfTurns){calloc(n, sizeof *t->had), calloc(n, sizeof *t->weight), n};
  return t->had && t->weight ? 0 : -1;
}

void wf_turns_free(WfTurns *t) {
  free(t->had);
  free(t->weight);
  *t = (WfTurns){0};
}

size_t wf_turns_next(const WfTurns *t) {
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < t->n; i++)
    if (t->weight[i] && (best == SIZE_MAX || t->had[i] < t->had[best])) best = i;
  return best;
}

void wf_turns_weigh(WfTurns *t, size_t i, uint32_t weight) {
  size_t least = wf_turns_next(t);
  if (!t->weight[i] && weight && least != SIZE_MAX && t->had[i] < t->had[least]) t->had[i] = t->had[least];
  t->weight[i] = weight;
}

/* At least a microsecond: a clock that stands still must not give all turns to one. */
void wf_turns_spend(WfTurns *t, size_t i, uint64_t ns) { t->had[i] += (double)(ns < 1000 ? 1000 : ns) / t->weight[i]; }
