/* instrument_chain.h - chains of integer operations that end in an address: what instrument_index.c follows. */
#ifndef SIMT_INSTRUMENT_CHAIN_H
#define SIMT_INSTRUMENT_CHAIN_H
#include "instrument.h"

/* How a 32-bit value with its upper bit set is read. READINGS as an answer: either way. */
enum { SIGNED, UNSIGNED, READINGS };

/* What an integer or a pointer is computed by. LEAF: nothing that carries a chain on. CHECKED: the result of a signed operation
 * with a check (instrument_signed.c). */
typedef enum Kind { LEAF, ADD, SUB, MUL, SHL, CHECKED, WIDEN, TRUNC, PHI, SELECT, GEP, CAST } Kind;

typedef struct Node {
  LLVMValueRef value;
  LLVMValueRef wide[READINGS]; /* integers: the 64-bit value; pointers: how far the address is from where it should be, in units */
  uint64_t unit_bytes;         /* of a pointer that loses; 0: not known yet */
  unsigned seen[3];            /* numbers of the last searches that came by, one of each kind */
  signed char kind, loses, doubts, reading; /* -1: not known yet; reading: see chain_reading() */
} Node;

typedef struct Chains { /* of one function: an open hash table by value */
  Ins *in;
  Node *node;
  size_t n, mask;
  unsigned search[3];
  LLVMMetadataRef loc; /* of the last access that got a check, its operation, and the sites of both */
  LLVMValueRef op, site, op_site;
} Chains;
enum { FOR_LOSS, FOR_DOUBT, FOR_UNIT };

static inline unsigned chain_width(LLVMValueRef v) { /* bits of an integer; 0: none */
  LLVMTypeRef t = LLVMTypeOf(v);
  return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static inline int chain_is_pointer(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind; }

/* The node of v: valid until the next call of any of these. */
Node *chain_node(Chains *c, LLVMValueRef v);
Kind chain_kind(Chains *c, LLVMValueRef v);
LLVMValueRef chain_checked_call(LLVMValueRef v); /* of a CHECKED value: the intrinsic; else NULL */
Kind chain_checked_op(LLVMValueRef v);           /* of a CHECKED value: ADD, SUB or MUL */
int chain_loses(Chains *c, LLVMValueRef v);      /* may upper bits be lost on the way to v? */
LLVMValueRef chain_loss(Chains *c, LLVMValueRef v); /* the operation that may lose them, the last of them; v loses */
LLVMValueRef chain_carrier(Chains *c, LLVMValueRef v, unsigned *first, unsigned *end); /* whose operands carry the chain on, and which */
int chain_is_new(Chains *c, LLVMValueRef v, int search); /* the present search of this kind has not been at v before */
int chain_reading(Chains *c, LLVMValueRef v);    /* of the 32-bit value v at the start of a chain */
int chain_doubts(Chains *c, LLVMValueRef v);     /* how many starts of v have two readings; 2: two or more */

#endif
