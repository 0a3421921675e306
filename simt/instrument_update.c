/* instrument_update.c - words that a thread reads, computes with and writes back, all through volatile: `*sum = *sum + x`.
 *
 * Between blocks nothing keeps two such updates apart: both may read the same value, and one of them is lost. A word that is looked at
 * first may be this thread's alone by then (`while (*turn != me);`): of such a one nothing is known. */
#include "instrument.h"

enum { MAX_STEPS = 100, MAX_DEPTH = 16 };

typedef struct Way {
  LLVMValueRef store;
  LLVMValueRef load; /* of the same word, from which the store's value was computed */
  int steps;
} Way;

static LLVMValueRef without_casts(LLVMValueRef p) {
  while (LLVMIsACastInst(p)) p = LLVMGetOperand(p, 0);
  return p;
}

static int is_same_place(LLVMValueRef p, LLVMValueRef q) { return ins_same_value(without_casts(p), without_casts(q), 0); }

/* Arithmetic that gives another value. Bits that are set or cleared by a constant are the same whoever comes first. */
static int is_arithmetic(LLVMValueRef v) {
  LLVMOpcode op = LLVMIsABinaryOperator(v) ? LLVMGetInstructionOpcode(v) : LLVMFNeg;
  int is_mask = (op == LLVMAnd || op == LLVMOr) && (LLVMIsAConstant(LLVMGetOperand(v, 0)) || LLVMIsAConstant(LLVMGetOperand(v, 1)));
  return op != LLVMFNeg && !is_mask;
}

static int is_arithmetic_call(LLVMValueRef v) {
  static const char *const names[] = {"llvm.sadd.with", "llvm.uadd.with", "llvm.ssub.with", "llvm.usub.with", "llvm.smul.with", "llvm.umul.with",
                                      "llvm.fma"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (ins_calls(v, names[i])) return 1;
  return 0;
}

static void look_behind(Way *w, LLVMValueRef v, int computes, int depth);

static void look_behind_operands(Way *w, LLVMValueRef v, unsigned from, unsigned to, int computes, int depth) {
  for (unsigned i = from; i < to && !w->load; i++) look_behind(w, LLVMGetOperand(v, i), computes, depth + 1);
}

/* What v was computed from. */
static void look_behind(Way *w, LLVMValueRef v, int computes, int depth) {
  if (depth > MAX_DEPTH || ++w->steps > MAX_STEPS) return;
  if (LLVMIsALoadInst(v)) {
    if (computes && LLVMGetVolatile(v) && is_same_place(LLVMGetOperand(v, 0), LLVMGetOperand(w->store, 1))) w->load = v;
  } else if (LLVMIsABinaryOperator(v)) {
    look_behind_operands(w, v, 0, 2, computes || is_arithmetic(v), depth);
  } else if (LLVMIsACastInst(v) || LLVMIsAExtractValueInst(v)) {
    look_behind(w, LLVMGetOperand(v, 0), computes, depth + 1);
  } else if (LLVMIsASelectInst(v)) {
    look_behind_operands(w, v, 1, 3, computes, depth);
  } else if (LLVMIsAPHINode(v)) {
    for (unsigned i = 0; i < LLVMCountIncoming(v) && !w->load; i++) look_behind(w, LLVMGetIncomingValue(v, i), computes, depth + 1);
  } else if (LLVMIsACallInst(v) && is_arithmetic_call(v)) {
    look_behind_operands(w, v, 0, LLVMGetNumArgOperands(v), 1, depth);
  }
}

static int is_ahead(LLVMValueRef first, LLVMValueRef later) {
  LLVMBasicBlockRef bb = LLVMGetInstructionParent(first), to = LLVMGetInstructionParent(later);
  if (bb != to) return ins_leads_to(bb, to);
  LLVMValueRef i = first;
  while (i && i != later) i = LLVMGetNextInstruction(i);
  return i != NULL;
}

/* Another strong read of the word that something was decided with: an atomic one, or a volatile one whose value is no data. */
static int is_look(LLVMValueRef i, LLVMValueRef place) {
  if (ins_calls(i, "simt_op_atomic")) return is_same_place(LLVMGetOperand(i, 0), place);
  if (!LLVMIsALoadInst(i) || !LLVMGetVolatile(i) || !is_same_place(LLVMGetOperand(i, 0), place)) return 0;
  unsigned use = ins_use(i);
  return use & SIMT_SITE_POLL || (use != 0 && use != SIMT_SITE_COMPARED);
}

static int is_looked_at_first(LLVMValueRef load) {
  LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(load));
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
      if (i != load && is_look(i, LLVMGetOperand(load, 0)) && is_ahead(i, load)) return 1;
  return 0;
}

static unsigned mark_of(const Ins *in) { return LLVMGetMDKindIDInContext(in->ctx, "simt.update", 11); }

static void mark(Ins *in, LLVMValueRef inst, int is) {
  LLVMSetMetadata(inst, mark_of(in), is ? LLVMMetadataAsValue(in->ctx, LLVMMDNodeInContext2(in->ctx, NULL, 0)) : NULL);
}

void ins_updates(Ins *in, LLVMValueRef fn) {
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsAStoreInst(i) || !LLVMGetVolatile(i)) continue;
      Way w = {.store = i};
      look_behind(&w, LLVMGetOperand(i, 0), 0, 0);
      if (w.load && !is_looked_at_first(w.load)) mark(in, w.load, 1), mark(in, i, 1);
    }
}

int ins_is_update(Ins *in, LLVMValueRef inst) {
  int is = LLVMGetMetadata(inst, mark_of(in)) != NULL;
  if (is) mark(in, inst, 0);
  return is;
}
