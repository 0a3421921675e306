/* instrument_flow.c - from which blocks of a function control flow gets to which. */
#include "instrument.h"
#include <string.h>

/* Where bb is in the table, or would be. */
static unsigned slot_of(const InsBlocks *b, LLVMBasicBlockRef bb) {
  unsigned k = (unsigned)(((uintptr_t)bb >> 4) * 0x9e3779b97f4a7c15u >> 32) % INS_BLOCK_SLOTS;
  while (b->slot[k] && b->block[b->slot[k] - 1] != bb) k = (k + 1) % INS_BLOCK_SLOTS;
  return k;
}

int ins_has_block(const InsBlocks *b, LLVMBasicBlockRef bb) { return b->slot[slot_of(b, bb)] != 0; }

static void add(InsBlocks *b, LLVMBasicBlockRef bb, LLVMBasicBlockRef without) {
  unsigned k = slot_of(b, bb);
  if (bb == without || b->slot[k] || b->n == INS_MAX_BLOCKS) return;
  b->block[b->n++] = bb;
  b->slot[k] = (uint16_t)b->n;
}

static void begin(InsBlocks *b, LLVMBasicBlockRef first, LLVMBasicBlockRef without) {
  b->n = 0;
  memset(b->slot, 0, sizeof b->slot);
  add(b, first, without);
}

void ins_reach(InsBlocks *b, LLVMBasicBlockRef from, LLVMBasicBlockRef without) {
  begin(b, from, without);
  for (unsigned at = 0; at < b->n; at++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block[at]);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) add(b, LLVMGetSuccessor(end, k), without);
  }
}

void ins_reach_back(InsBlocks *b, LLVMBasicBlockRef to) {
  begin(b, to, NULL);
  for (unsigned at = 0; at < b->n; at++)
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b->block[at])); u; u = LLVMGetNextUse(u)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (LLVMIsATerminatorInst(user)) add(b, LLVMGetInstructionParent(user), NULL);
    }
}

int ins_leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  InsBlocks b;
  ins_reach(&b, from, NULL);
  return ins_has_block(&b, to);
}
