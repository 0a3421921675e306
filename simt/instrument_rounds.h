/* instrument_rounds.h - loops around one shuffle: what instrument_loops.c finds, and instrument_round.c and instrument_rounds.c work on. */
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

enum { ROUND, MODE, LEFT, FIRST_VALUE }; /* fields of a frame: SimtRounds, then values */
enum { MAX_VALUES = 64, MAX_EXITS = 16, MAX_COPIES = 1024 };

typedef struct Copy { /* of an instruction, in the function */
  LLVMValueRef from, to;
  Part part;
} Copy;

typedef struct Rounds {
  Ins *in;
  Loop *l;
  LLVMValueRef value[MAX_VALUES];   /* those with a place in the frame; inner ones first */
  LLVMValueRef loaded[MAX_VALUES];  /* in the function: as they are when it begins */
  LLVMValueRef again[MAX_VALUES];   /* in the loop, behind the shuffle: loaded again. NULL: not yet */
  LLVMValueRef final[MAX_VALUES];   /* a variable for what follows the loop. NULL: nothing there needs it */
  unsigned n_inner, n_values;
  unsigned exit_from[MAX_EXITS];
  LLVMBasicBlockRef exit_to[MAX_EXITS];
  unsigned n_exits;
  LLVMTypeRef type;                 /* of the frame */
  LLVMValueRef round, frame;        /* the function; the frame in the loop's function */
  LLVMBasicBlockRef rest;           /* of the loop: what was behind the shuffle in its block */
  LLVMBasicBlockRef copy_of[LOOP_MAX_BLOCKS], begin, way_out[MAX_EXITS];
  Copy copy[MAX_COPIES];
  unsigned n_copies;
} Rounds;

/* instrument_rounds.c */
Part ins_rounds_part(const Loop *l, LLVMValueRef inst);         /* where an instruction is; the shuffle counts as behind it */
Part ins_rounds_end(const Loop *l, LLVMBasicBlockRef bb);       /* of the end of a block */
int ins_rounds_is_debug(LLVMValueRef inst);                     /* debug information in the form of a call */
unsigned ins_rounds_place(const Rounds *r, LLVMValueRef v);     /* of a value in the frame; n_values: it has none */
LLVMValueRef ins_rounds_field(Rounds *r, LLVMValueRef frame, unsigned i); /* address of field i, at the builder */

void ins_round_build(Rounds *r); /* instrument_round.c: makes r->round. The loop is left as it is */

#endif
