/* instrument_rounds.h - loops around one shuffle: what instrument_loops.c finds and instrument_rounds.c turns into functions. */
#ifndef SIMT_INSTRUMENT_ROUNDS_H
#define SIMT_INSTRUMENT_ROUNDS_H
#include "instrument.h"

/* Where a block is: not in the loop; executed before the shuffle of a round, the header first; behind it. The shuffle's own
 * block counts as before. */
typedef enum Part { OUTSIDE, BEFORE, BEHIND } Part;

enum { LOOP_MAX_BLOCKS = 256, LOOP_MAX_WAYS = 4 };

typedef struct Loop {
  LLVMValueRef fn, call; /* call: the shuffle */
  unsigned n;            /* blocks of fn */
  LLVMBasicBlockRef block[LOOP_MAX_BLOCKS];
  unsigned char n_next[LOOP_MAX_BLOCKS], part[LOOP_MAX_BLOCKS]; /* part: a Part */
  unsigned short next[LOOP_MAX_BLOCKS][LOOP_MAX_WAYS];
  unsigned header, split; /* indices; split: holds the shuffle */
} Loop;

/* The innermost loop around the shuffle, if it has the form that instrument_rounds.c wants. 1; 0: it has not. */
int ins_loop_find(Loop *l, LLVMValueRef shuffle);
unsigned ins_loop_index(const Loop *l, LLVMBasicBlockRef bb); /* l->n: none of the function's blocks at the time */

#endif
