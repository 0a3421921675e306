/* judge.h - values that nobody wrote, in a whole program: does it matter what they are? Internal to the engine.
 *
 * A case of the fuzzer's can be run again; a program cannot. But a launch can, from a copy of the memory as it was before it: with other bits in
 * the place of such values. What it then leaves, the addresses it accesses and its branches are compared. The memory ends as the first time.
 *
 * Copies are made ahead of launches that may need one: of each kernel's first ones, and of every launch of a kernel that has read such a value
 * without a copy at hand; only while all memory is at most SIMT_JUDGE_BYTES. Launches that could not be judged are counted, and are no finding. */
#ifndef SIMT_JUDGE_H
#define SIMT_JUDGE_H
#include "engine.h"

enum { SIMT_JUDGE_BYTES = 1 << 28, SIMT_JUDGE_LAUNCHES = 4 };

void simt_judge_before(Simt *s); /* s->launch is about to run */
void simt_judge_after(Simt *s);  /* it has run; its arguments are still there */
void simt_judge_destroy(Simt *s);

#endif
