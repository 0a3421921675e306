/* instrument_use.c - what becomes of a value that was read without order: of a volatile load, or an atomic operation that waits.
 *
 * A volatile access is no synchronisation, yet programs pass flags, counters and whole words with a flag in them through such
 * accesses, and are right. What tells those from data is the reader: it looks at the value before it relies on it. */
#include "instrument.h"

enum { MAX_VISITS = 400, MAX_DEPTH = 12 };

/* In order: a value nobody has compared; the outcome of a comparison that shows that the reader looks; of one that does not; of one of
 * floats. */
typedef enum Kind { VALUE, LOOKS, PICKS, FLOATS } Kind;

typedef struct Use {
  LLVMValueRef load;
  int visits;
  int is_data;   /* it goes elsewhere than into decisions */
  int decides_else; /* some decision is not when to leave a loop with the load in it */
  int is_looked_at, is_compared; /* by a comparison of integers; of floats */
  int is_chased; /* an index of the array that it is read from */
  int escapes;   /* another round of a loop around the load, or another thread, may see it */
} Use;

/* Control flow gets from bb to `home` with nothing done. Calls are of the engine's, or wait (__nanosleep). */
static int goes_straight(LLVMBasicBlockRef bb, LLVMBasicBlockRef home, int past_calls) {
  for (int hops = 0; bb != home && hops < 4; hops++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(bb), i = LLVMGetFirstInstruction(bb);
    while (LLVMIsAPHINode(i) || (LLVMIsACallInst(i) && (past_calls || ins_calls(i, "llvm.")))) i = LLVMGetNextInstruction(i);
    if (i != end || LLVMGetNumSuccessors(end) != 1) return 0;
    bb = LLVMGetSuccessor(end, 0);
  }
  return bb == home;
}

int ins_is_polling(LLVMValueRef inst) {
  LLVMBasicBlockRef home = LLVMGetInstructionParent(inst);
  LLVMValueRef t = LLVMGetBasicBlockTerminator(home);
  if (LLVMGetNumSuccessors(t) < 2) return 0;
  for (unsigned k = 0; k < LLVMGetNumSuccessors(t); k++)
    if (goes_straight(LLVMGetSuccessor(t, k), home, 1)) return 1;
  return 0;
}

/* One way of the branch comes back to `home`, the other does not. */
static int leaves_cycle(LLVMValueRef branch, LLVMBasicBlockRef home) {
  return LLVMGetNumSuccessors(branch) == 2 && ins_leads_to(LLVMGetSuccessor(branch, 0), home) != ins_leads_to(LLVMGetSuccessor(branch, 1), home);
}

static int is_truth(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 1; }

/* A branch that does nothing but choose between two values, as `if (x > m) m = x;` does. */
static int only_picks(LLVMValueRef branch) {
  if (LLVMGetNumSuccessors(branch) != 2) return 0;
  LLVMBasicBlockRef a = LLVMGetSuccessor(branch, 0), b = LLVMGetSuccessor(branch, 1);
  for (int i = 0; i < 2; i++) {
    LLVMBasicBlockRef from = i ? b : a, to = i ? a : b;
    LLVMValueRef first = LLVMGetFirstInstruction(to);
    if (LLVMIsAPHINode(first) && !is_truth(first) && goes_straight(from, to, 0)) return 1;
  }
  return 0;
}

/* An argument of the kernel's, widened or not: a limit that has nothing to do with what others write. */
static int is_limit(LLVMValueRef v) {
  while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsATruncInst(v)) v = LLVMGetOperand(v, 0);
  return LLVMIsAArgument(v) != NULL;
}

static Kind kind_of_comparison(LLVMValueRef cmp, LLVMValueRef v) {
  LLVMIntPredicate p = LLVMGetICmpPredicate(cmp);
  LLVMValueRef other = LLVMGetOperand(cmp, LLVMGetOperand(cmp, 0) == v);
  return p != LLVMIntEQ && p != LLVMIntNE && is_limit(other) ? PICKS : LOOKS;
}

/* A float may say by its sign, or by a value that it does not have otherwise, that it is not there yet. */
static int is_a_constant(LLVMValueRef cmp) {
  if (LLVMGetOperand(cmp, 0) == LLVMGetOperand(cmp, 1)) return 1; /* is it a NaN? */
  return LLVMIsAConstantFP(LLVMGetOperand(cmp, 0)) || LLVMIsAConstantFP(LLVMGetOperand(cmp, 1));
}

static void decide(Use *u, LLVMValueRef branch, Kind k) {
  if (k == FLOATS || !leaves_cycle(branch, LLVMGetInstructionParent(u->load))) u->decides_else = 1;
  if (only_picks(branch)) return;
  if (k == LOOKS || LLVMIsASwitchInst(branch)) u->is_looked_at = 1;
  if (k == FLOATS) u->is_compared = 1;
}

/* Checks of the engine's that stand beside the arithmetic of the program. */
static int is_check(LLVMValueRef call) { return ins_calls(call, "simt_check_") || ins_calls(call, "llvm.dbg"); }

/* A local variable's value, unless nobody has set it. */
static int is_same_value(LLVMValueRef call) { return ins_calls(call, "simt_local_4") || ins_calls(call, "simt_local_8") || ins_calls(call, "simt_local_bits_"); }

static void follow(Use *u, LLVMValueRef v, Kind k, int past_phi, int depth);

static int is_in_loop(const Use *u, LLVMValueRef inst) { return ins_leads_to(LLVMGetInstructionParent(inst), LLVMGetInstructionParent(u->load)); }

/* The object that p points into. The engine's checks, in front of accesses that have theirs already, give back what they get. */
static LLVMValueRef object_of(LLVMValueRef p) {
  for (;;) {
    if (LLVMIsAGetElementPtrInst(p) || LLVMIsACastInst(p) || ins_calls(p, "simt_")) p = LLVMGetOperand(p, 0);
    else if (LLVMIsAConstantExpr(p) && LLVMGetNumOperands(p) > 0) p = LLVMGetOperand(p, 0);
    else return p;
  }
}

/* In a local variable, at whatever place of it. */
static int is_local(LLVMValueRef p) { return LLVMIsAAllocaInst(object_of(p)) != NULL; }

static void is_used(Use *u, LLVMValueRef user) {
  int is_kept = LLVMIsAStoreInst(user) && is_local(LLVMGetOperand(user, 1));
  u->is_data = 1;
  u->escapes |= !is_kept && LLVMIsAInstruction(user) && is_in_loop(u, user);
}

/* The word that was read, whole or a part of it, and nothing that was computed from it. */
static int is_the_word(const Use *u, LLVMValueRef v) {
  for (int hops = 0; hops < MAX_DEPTH && v != u->load; hops++) {
    int is_part = LLVMIsABinaryOperator(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
                  (LLVMGetInstructionOpcode(v) == LLVMLShr || LLVMGetInstructionOpcode(v) == LLVMAShr || LLVMGetInstructionOpcode(v) == LLVMAnd);
    if (!is_part && !is_same_value(v) && !LLVMIsACastInst(v) && !LLVMIsALoadInst(v) && !LLVMIsAExtractValueInst(v) && !LLVMIsAExtractElementInst(v)) return 0;
    if (LLVMIsALoadInst(v)) return is_local(LLVMGetOperand(v, 0)); /* of a variable that follow_memory() has come through */
    v = LLVMGetOperand(v, 0);
  }
  return v == u->load;
}

/* A word that is put into a local variable, a union or struct, is looked at in its parts: all that is read of the variable. p: the
 * variable, or a pointer into it. */
static void follow_memory(Use *u, LLVMValueRef p, int past_phi, int depth) {
  if (depth > MAX_DEPTH || ++u->visits > MAX_VISITS) return;
  for (LLVMUseRef use = LLVMGetFirstUse(p); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user) || ins_calls(user, "simt_check_")) follow_memory(u, user, past_phi, depth + 1);
    else if (LLVMIsALoadInst(user)) follow(u, user, VALUE, past_phi, depth + 1);
    else if (LLVMIsACallInst(user) && ins_calls(user, "llvm.memcpy") && LLVMGetOperand(user, 1) == p && is_local(LLVMGetOperand(user, 0)))
      follow_memory(u, object_of(LLVMGetOperand(user, 0)), past_phi, depth + 1);
  }
}

static void on_store(Use *u, LLVMValueRef store, LLVMValueRef v, Kind k, int past_phi, int depth) {
  LLVMValueRef to = object_of(LLVMGetOperand(store, 1));
  is_used(u, store);
  if (k == VALUE && LLVMGetOperand(store, 0) == v && LLVMIsAAllocaInst(to) && is_the_word(u, v)) follow_memory(u, to, past_phi, depth + 1);
}

/* An index of the array that the word itself is of: a parent, the next one of a chain. Whatever it is, it leads on. */
static int leads_on(const Use *u, LLVMValueRef gep, LLVMValueRef v) {
  return LLVMGetOperand(gep, 0) != v && object_of(gep) == object_of(LLVMGetOperand(u->load, 0));
}

/* Read where such an index points to, as the inner of `p[x] = p[p[x]]` says. */
static int is_led_to(LLVMValueRef load) {
  LLVMValueRef p = LLVMGetOperand(load, 0);
  while (LLVMIsACastInst(p) || ins_calls(p, "simt_")) p = LLVMGetOperand(p, 0);
  if (!LLVMIsAGetElementPtrInst(p)) return 0;
  LLVMValueRef i = LLVMGetOperand(p, (unsigned)LLVMGetNumOperands(p) - 1);
  while (LLVMIsACastInst(i)) i = LLVMGetOperand(i, 0);
  return LLVMIsALoadInst(i) && LLVMGetVolatile(i) && object_of(LLVMGetOperand(i, 0)) == object_of(p);
}

/* A vote asks all lanes what they have seen, and decides with that. */
static void on_call(Use *u, LLVMValueRef call, Kind k, int past_phi, int depth) {
  if (is_check(call)) return;
  if (ins_calls(call, "llvm.") || is_same_value(call)) follow(u, call, k, past_phi, depth + 1);
  else {
    is_used(u, call);
    u->is_looked_at |= k == LOOKS;
    u->is_compared |= k == FLOATS;
  }
}

/* Of arithmetic that also says whether it overflowed, only the result. */
static int is_overflow_bit(LLVMValueRef v) { return LLVMIsAExtractValueInst(v) && is_truth(v); }

static int is_strong_load(LLVMValueRef i) {
  return LLVMIsALoadInst(i) && (LLVMGetVolatile(i) || ins_calls(LLVMGetOperand(i, 0), "simt_op_atomic"));
}

/* The same thing read first, and again while waiting; unlike what a loop counts from a value that was read. */
static int joins_loads(LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (!is_strong_load(LLVMGetIncomingValue(phi, i))) return 0;
  return 1;
}

static void on_user(Use *u, LLVMValueRef user, LLVMValueRef v, Kind k, int past_phi, int depth) {
  switch (LLVMIsAInstruction(user) ? (int)LLVMGetInstructionOpcode(user) : 0) {
  case LLVMBr:
  case LLVMSwitch: decide(u, user, k); return;
  case LLVMICmp: follow(u, user, past_phi ? PICKS : kind_of_comparison(user, v), past_phi, depth + 1); return;
  case LLVMFCmp: follow(u, user, is_a_constant(user) && !past_phi ? LOOKS : FLOATS, past_phi, depth + 1); return;
  case LLVMPHI:
    u->escapes |= is_in_loop(u, user);
    follow(u, user, k, past_phi || (k == VALUE && !joins_loads(user)), depth + 1);
    return;
  case LLVMExtractValue:
    if (!is_overflow_bit(user)) follow(u, user, k, past_phi, depth + 1);
    return;
  case LLVMSelect: follow(u, user, LLVMGetOperand(user, 0) == v ? PICKS : k, past_phi, depth + 1); return;
  case LLVMCall: on_call(u, user, k, past_phi, depth); return;
  case LLVMStore: on_store(u, user, v, k, past_phi, depth); return;
  case LLVMGetElementPtr:
    u->is_chased |= leads_on(u, user, v);
    is_used(u, user);
    return;
  case LLVMLoad: case LLVMRet: case LLVMInvoke: case 0: is_used(u, user); return;
  default: follow(u, user, k, past_phi, depth + 1); return; /* arithmetic, conversions */
  }
}

static void follow(Use *u, LLVMValueRef v, Kind k, int past_phi, int depth) {
  if (depth > MAX_DEPTH || ++u->visits > MAX_VISITS) {
    u->is_data = u->escapes = 1;
    return;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) on_user(u, LLVMGetUser(use), v, k, past_phi, depth);
}

/* ---- a value that is thrown away when it turns out to be no good ---- */

/* From bb, out of the loop around `home`, without passing that again. */
static int gets_out(LLVMBasicBlockRef bb, LLVMBasicBlockRef home) {
  InsBlocks ahead, back;
  ins_reach(&ahead, bb, home);
  ins_reach_back(&back, home);
  for (unsigned i = 0; i < ahead.n; i++)
    if (!ins_has_block(&back, ahead.block[i])) return 1;
  return 0;
}

/* In `a || b`, the first branch makes the whole true: a constant that its block gives to a phi. */
static LLVMValueRef half_of_condition(LLVMValueRef branch) {
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(branch, k));
    for (unsigned i = 0; LLVMIsAPHINode(phi) && is_truth(phi) && i < LLVMCountIncoming(phi); i++)
      if (LLVMGetIncomingBlock(phi, i) == LLVMGetInstructionParent(branch) && LLVMIsAConstantInt(LLVMGetIncomingValue(phi, i))) return phi;
  }
  return NULL;
}

/* Does v, of block `home`, decide whether that is passed once more? */
static int decides_round(LLVMValueRef v, LLVMBasicBlockRef home, int depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(v); depth < 6 && use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsABranchInst(user)) {
      if (LLVMGetNumSuccessors(user) != 2) continue;
      if (gets_out(LLVMGetSuccessor(user, 0), home) != gets_out(LLVMGetSuccessor(user, 1), home)) return 1;
      LLVMValueRef whole = half_of_condition(user);
      if (whole && decides_round(whole, home, depth + 1)) return 1;
    } else if (LLVMIsAICmpInst(user) || LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) || LLVMIsAPHINode(user)) {
      if (decides_round(user, home, depth + 1)) return 1;
    }
  }
  return 0;
}

static int is_behind(LLVMValueRef later, LLVMValueRef first) {
  LLVMValueRef i = first;
  while (i && i != later) i = LLVMGetNextInstruction(i);
  return i != NULL;
}

/* Is every way from the function's entry to `home` by way of bb, too? */
static int is_passed_first(LLVMBasicBlockRef bb, LLVMBasicBlockRef home) {
  InsBlocks others;
  ins_reach(&others, LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(home)), bb);
  return !ins_has_block(&others, home);
}

/* A strong read of bb, which the load's block gets to, decides whether the load is made once more. */
static int is_read_again(const Use *u, LLVMBasicBlockRef bb, LLVMBasicBlockRef home) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
    if (i != u->load && is_strong_load(i) && (bb != home || is_behind(i, u->load)) && decides_round(i, bb, 0)) return 1;
  return 0;
}

/* A sequence lock: the number is read again behind the data, and if it is another one, so is the data. Until then nobody else sees it. */
static int is_tentative(const Use *u) {
  LLVMBasicBlockRef home = LLVMGetInstructionParent(u->load);
  InsBlocks ahead, back;
  if (u->escapes) return 0;
  ins_reach(&ahead, home, NULL);
  ins_reach_back(&back, home);
  for (unsigned i = 0; i < ahead.n; i++) {
    LLVMBasicBlockRef bb = ahead.block[i];
    if (ins_has_block(&back, bb) && is_read_again(u, bb, home) && (bb == home || !is_passed_first(bb, home))) return 1;
  }
  return 0;
}

unsigned ins_use(LLVMValueRef load) {
  Use u = {.load = load, .is_chased = is_led_to(load)};
  follow(&u, load, VALUE, 0, 0);
  unsigned poll = ins_is_polling(load) ? SIMT_SITE_POLL : 0;
  if (!u.is_data) return poll | (u.decides_else ? SIMT_SITE_LOOKED_AT : SIMT_SITE_CONTROL);
  if (!u.is_looked_at && (u.is_chased || is_tentative(&u))) return poll | SIMT_SITE_LOOKED_AT;
  return poll | (u.is_looked_at ? SIMT_SITE_LOOKED_AT : u.is_compared ? SIMT_SITE_COMPARED : 0);
}
