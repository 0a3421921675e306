/* turns.h - which variant's turn it is, by shares of the time: whoever had least of it for its weight. */
#ifndef WF_TURNS_H
#define WF_TURNS_H
#include <stddef.h>
#include <stdint.h>

typedef struct WfTurns { /* of n variants */
  double *had; /* time by weight, ns */
  uint32_t *weight; /* 0: it takes no part */
  size_t n;
  double now; /* what the one had whose turn was the last, before it: goes up only */
} WfTurns;

int wf_turns_init(WfTurns *t, size_t n); /* all weights 0. 0; -1: no memory */
void wf_turns_free(WfTurns *t);

/* One that takes part anew begins where the others are, or were when the last of them went. */
void wf_turns_weigh(WfTurns *t, size_t i, uint32_t weight);

size_t wf_turns_next(const WfTurns *t); /* SIZE_MAX: nobody takes part */
void wf_turns_spend(WfTurns *t, size_t i, uint64_t ns);

#endif
