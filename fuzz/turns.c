/* turns.c - stride scheduling by measured time. */
#include "turns.h"
#include <stdlib.h>

int wf_turns_init(WfTurns *t, size_t n) {
  *t = (WfTurns){.had = calloc(n, sizeof *t->had), .weight = calloc(n, sizeof *t->weight), .n = n};
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

/* Where the others are; when nobody takes part, where they have been: who is alone for a while must not come to owe or to be owed all
 * that was before. */
static double others_have(const WfTurns *t) {
  size_t least = wf_turns_next(t);
  return least == SIZE_MAX || t->had[least] < t->now ? t->now : t->had[least];
}

void wf_turns_weigh(WfTurns *t, size_t i, uint32_t weight) {
  if (!t->weight[i] && weight && t->had[i] < others_have(t)) t->had[i] = others_have(t);
  t->weight[i] = weight;
}

/* At least a microsecond: a clock that stands still must not give all turns to one. Who was given no weight meanwhile had one. */
void wf_turns_spend(WfTurns *t, size_t i, uint64_t ns) {
  if (t->had[i] > t->now) t->now = t->had[i];
  t->had[i] += (double)(ns < 1000 ? 1000 : ns) / (t->weight[i] ? t->weight[i] : 1);
}
