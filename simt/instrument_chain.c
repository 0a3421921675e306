/* instrument_chain.c - what belongs to a chain of index arithmetic, and what can be said about a whole one. See
 * instrument_index.c. */
#include "instrument_chain.h"
#include <stdlib.h>

/* ---- the table ---- */

static size_t slot_of(const Chains *c, LLVMValueRef v) {
  size_t i = ((uintptr_t)v >> 4) * 0x9e3779b97f4a7c15u >> 20 & c->mask;
  while (c->node[i].value && c->node[i].value != v) i = (i + 1) & c->mask;
  return i;
}

static void grow(Chains *c) {
  Chains old = *c;
  c->mask = 2 * old.mask + 1;
  c->node = calloc(c->mask + 1, sizeof *c->node);
  if (!c->node) abort();
  for (size_t i = 0; i <= old.mask; i++)
    if (old.node[i].value) c->node[slot_of(c, old.node[i].value)] = old.node[i];
  free(old.node);
}

Node *chain_node(Chains *c, LLVMValueRef v) {
  if (2 * c->n > c->mask) grow(c);
  Node *n = &c->node[slot_of(c, v)];
  if (n->value) return n;
  c->n++;
  *n = (Node){.value = v, .kind = -1, .loses = -1, .doubts = -1, .reading = -1};
  return n;
}

/* ---- what is part of a chain ---- */

static int is_index_type(LLVMValueRef v) { return chain_width(v) == 32 || chain_width(v) == 64; }

/* A multiplier that no stride is: it spreads bits. */
static int is_hash(LLVMValueRef k) {
  if (!LLVMIsAConstantInt(k)) return 0;
  long long v = chain_width(k) == 32 ? (int)LLVMConstIntGetZExtValue(k) : LLVMConstIntGetSExtValue(k);
  return (v & 1) && (v >= 1 << 24 || v <= -(1 << 24));
}

/* Does v depend on `on` by way of anything? */
static int depends(LLVMValueRef v, LLVMValueRef on, int depth) {
  if (v == on) return 1;
  if (depth > 12 || !LLVMIsAInstruction(v) || LLVMIsAPHINode(v)) return 0;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
    if (depends(LLVMGetOperand(v, i), on, depth + 1)) return 1;
  return 0;
}

/* x - x / n * n and the like: a remainder, taken by hand. */
static int is_remainder(LLVMValueRef sub) {
  LLVMValueRef x = LLVMGetOperand(sub, 0), y = LLVMGetOperand(sub, 1);
  return LLVMIsAInstruction(x) && LLVMIsAInstruction(y) && depends(y, x, 0);
}

LLVMValueRef chain_checked_call(LLVMValueRef v) {
  if (!LLVMIsAExtractValueInst(v) || LLVMGetIndices(v)[0] != 0) return NULL;
  LLVMValueRef call = LLVMGetOperand(v, 0), f = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
  size_t len = 0;
  const char *name = f ? LLVMGetValueName2(f, &len) : "";
  int is = ins_starts_with(name, len, "llvm.sadd.with") || ins_starts_with(name, len, "llvm.ssub.with") ||
           ins_starts_with(name, len, "llvm.smul.with");
  return is ? call : NULL;
}

Kind chain_checked_op(LLVMValueRef v) {
  size_t len;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(chain_checked_call(v)), &len);
  return name[6] == 'a' ? ADD : name[6] == 's' ? SUB : MUL;
}

/* Half of a 64-bit word is a field of it as often as an index: only what was computed from arguments and narrower numbers is
 * one, and shifts of half a word pack. */
static int is_wide_index(LLVMValueRef v, int depth) {
  if (LLVMIsAConstantInt(v)) return !(LLVMConstIntGetZExtValue(v) >> 32) || !(~LLVMConstIntGetZExtValue(v) >> 32);
  if (LLVMIsAArgument(v)) return 1;
  if (depth > 12 || !LLVMIsAInstruction(v)) return 0;
  LLVMValueRef call = chain_checked_call(v);
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  if (op == LLVMZExt || op == LLVMSExt) return 1;
  if (!call && op != LLVMAdd && op != LLVMSub && op != LLVMMul) return 0;
  if (call) v = call;
  return is_wide_index(LLVMGetOperand(v, 0), depth + 1) && is_wide_index(LLVMGetOperand(v, 1), depth + 1);
}

static int is_index_trunc(LLVMValueRef inst) {
  LLVMValueRef v = LLVMGetOperand(inst, 0);
  return chain_width(inst) == 32 && chain_width(v) == 64 && !LLVMIsAArgument(v) && !LLVMIsAZExtInst(v) && !LLVMIsASExtInst(v) &&
         is_wide_index(v, 0);
}

/* A value that an edge of control flow defines leaves no place to widen it. */
static int is_simple_phi(LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMIsAInvokeInst(LLVMGetIncomingValue(phi, i))) return 0;
  return 1;
}

static Kind arithmetic_kind(Chains *c, LLVMValueRef v, Kind kind) {
  if (!ins_is_user(c->in, v)) return LEAF;
  if (kind == MUL && (is_hash(LLVMGetOperand(v, 0)) || is_hash(LLVMGetOperand(v, 1)))) return LEAF;
  if (kind == SUB && is_remainder(v)) return LEAF;
  if (kind == SHL && !LLVMIsAConstantInt(LLVMGetOperand(v, 1))) return LEAF;
  return kind;
}

static Kind integer_kind(Chains *c, LLVMValueRef v) {
  if (chain_checked_call(v)) return arithmetic_kind(c, chain_checked_call(v), chain_checked_op(v)) == LEAF ? LEAF : CHECKED;
  switch ((int)LLVMGetInstructionOpcode(v)) {
  case LLVMAdd: return arithmetic_kind(c, v, ADD);
  case LLVMSub: return arithmetic_kind(c, v, SUB);
  case LLVMMul: return arithmetic_kind(c, v, MUL);
  case LLVMShl: return arithmetic_kind(c, v, SHL);
  case LLVMZExt:
  case LLVMSExt: return chain_width(LLVMGetOperand(v, 0)) == 32 ? WIDEN : LEAF;
  case LLVMTrunc: return is_index_trunc(v) ? TRUNC : LEAF;
  case LLVMPHI: return is_simple_phi(v) ? PHI : LEAF;
  case LLVMSelect: return SELECT;
  default: return LEAF;
  }
}

static Kind pointer_kind(LLVMValueRef v) {
  switch ((int)LLVMGetInstructionOpcode(v)) {
  case LLVMGetElementPtr: return GEP;
  case LLVMBitCast:
  case LLVMAddrSpaceCast: return chain_is_pointer(LLVMGetOperand(v, 0)) ? CAST : LEAF;
  case LLVMPHI: return is_simple_phi(v) ? PHI : LEAF;
  case LLVMSelect: return SELECT;
  default: return LEAF;
  }
}

Kind chain_kind(Chains *c, LLVMValueRef v) {
  Node *n = chain_node(c, v);
  if (n->kind < 0) {
    Kind k = !LLVMIsAInstruction(v) ? LEAF : chain_is_pointer(v) ? pointer_kind(v) : is_index_type(v) ? integer_kind(c, v) : LEAF;
    n->kind = (signed char)k;
  }
  return (Kind)n->kind;
}

/* The operands: *first, and one past the last. */
LLVMValueRef chain_carrier(Chains *c, LLVMValueRef v, unsigned *first, unsigned *end) {
  *first = 0;
  *end = 1;
  switch (chain_kind(c, v)) {
  case LEAF: *end = 0; break;
  case CHECKED: v = chain_checked_call(v); *end = 2; break;
  case ADD:
  case SUB:
  case MUL: *end = 2; break;
  case SELECT: *first = 1; *end = 3; break;
  case PHI:
  case GEP: *end = (unsigned)LLVMGetNumOperands(v); break;
  case SHL:
  case WIDEN:
  case TRUNC:
  case CAST: break;
  }
  return v;
}

/* ---- questions about whole chains ---- */

int chain_is_new(Chains *c, LLVMValueRef v, int search) {
  Node *n = chain_node(c, v);
  if (n->seen[search] == c->search[search]) return 0;
  n->seen[search] = c->search[search];
  return 1;
}

/* Can this operation lose upper bits, without a check of its own? */
static int loses_here(Chains *c, LLVMValueRef v) {
  Kind k = chain_kind(c, v);
  return k == TRUNC || (chain_width(v) == 32 && (k == ADD || k == SUB || k == MUL || k == SHL));
}

/* The first operation of the chain that may lose bits, nearest to v first where there is a choice of one; or NULL. */
static LLVMValueRef find_loss(Chains *c, LLVMValueRef v) {
  if (chain_node(c, v)->loses == 0 || !chain_is_new(c, v, FOR_LOSS)) return NULL;
  if (loses_here(c, v)) return v;
  unsigned first, end;
  LLVMValueRef from = chain_carrier(c, v, &first, &end), found = NULL;
  for (unsigned i = first; i < end && !found; i++) found = find_loss(c, LLVMGetOperand(from, i));
  return found;
}

LLVMValueRef chain_loss(Chains *c, LLVMValueRef v) {
  c->search[FOR_LOSS]++;
  return find_loss(c, v);
}

int chain_loses(Chains *c, LLVMValueRef v) {
  Node *n = chain_node(c, v);
  if (n->loses >= 0) return n->loses;
  int found = chain_loss(c, v) != NULL;
  chain_node(c, v)->loses = (signed char)found;
  return found;
}

static int is_index_variable(LLVMValueRef v) { /* threadIdx and others: below 2^31 */
  static const char *const prefix[] = {"simt_thread_idx", "simt_block_", "simt_grid_dim", "simt_lane_id"};
  LLVMValueRef f = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
  size_t len = 0;
  const char *name = f ? LLVMGetValueName2(f, &len) : "";
  for (unsigned i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
    if (ins_starts_with(name, len, prefix[i])) return 1;
  return 0;
}

static int is_small(LLVMValueRef v) { /* not negative, however it is read */
  if (LLVMIsAZExtInst(v) || is_index_variable(v)) return 1;
  LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMUnreachable;
  LLVMValueRef k = op == LLVMLShr || op == LLVMAnd ? LLVMGetOperand(v, 1) : NULL;
  if (!k || !LLVMIsAConstantInt(k)) return 0;
  return op == LLVMLShr ? !LLVMIsNull(k) : !(LLVMConstIntGetZExtValue(k) >> 31 & 1);
}

static int is_signed_use(LLVMValueRef user) {
  if (LLVMIsAICmpInst(user)) return LLVMGetICmpPredicate(user) >= LLVMIntSGT;
  if (LLVMIsASExtInst(user) || LLVMIsASIToFPInst(user)) return 1;
  if (!LLVMIsAInstruction(user)) return 0;
  if (LLVMIsACallInst(user)) {
    size_t len = 0;
    LLVMValueRef f = LLVMGetCalledValue(user);
    const char *name = f ? LLVMGetValueName2(f, &len) : "";
    return ins_starts_with(name, len, "llvm.s");
  }
  LLVMOpcode op = LLVMGetInstructionOpcode(user);
  return op == LLVMSDiv || op == LLVMSRem || op == LLVMAShr;
}

/* A phi or select over a result of signed arithmetic, or that itself. */
static int is_signed_result(LLVMValueRef v) {
  if (chain_checked_call(v)) return 1;
  if (!LLVMIsAPHINode(v) && !LLVMIsASelectInst(v)) return 0;
  for (unsigned i = LLVMIsASelectInst(v) ? 1 : 0; i < (unsigned)LLVMGetNumOperands(v); i++)
    if (chain_checked_call(LLVMGetOperand(v, i))) return 1;
  return 0;
}

static int evident_reading(LLVMValueRef v) {
  if (LLVMIsAConstantInt(v)) {
    int k = (int)LLVMConstIntGetZExtValue(v);
    return k >= 0 ? UNSIGNED : k > -(1 << 24) ? SIGNED : READINGS;
  }
  if (is_small(v)) return UNSIGNED;
  if (LLVMIsASExtInst(v) || is_signed_result(v)) return SIGNED;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
    if (is_signed_use(LLVMGetUser(u))) return SIGNED;
  return READINGS;
}

/* How the 32-bit value v at the start of a chain is read when its upper bit is set. READINGS: either way. Answered once: the wide
 * chains will be uses of v, too. */
int chain_reading(Chains *c, LLVMValueRef v) {
  Node *n = chain_node(c, v);
  if (n->reading < 0) n->reading = (signed char)evident_reading(v);
  return n->reading;
}

static unsigned count_doubts(Chains *c, LLVMValueRef v) {
  if (!chain_is_new(c, v, FOR_DOUBT)) return 0;
  unsigned first, end, count = 0;
  int is_signed = chain_kind(c, v) == CHECKED;
  LLVMValueRef from = chain_carrier(c, v, &first, &end);
  for (unsigned i = first; i < end; i++) {
    LLVMValueRef o = LLVMGetOperand(from, i);
    if (chain_loses(c, o)) count += count_doubts(c, o);
    else if (chain_width(o) == 32 && !is_signed && chain_reading(c, o) == READINGS) count += (unsigned)chain_is_new(c, o, FOR_DOUBT);
  }
  return count;
}

/* How many values that v is computed from can be read in two ways? 2: two or more. */
int chain_doubts(Chains *c, LLVMValueRef v) {
  Node *n = chain_node(c, v);
  if (n->doubts >= 0) return n->doubts;
  c->search[FOR_DOUBT]++;
  unsigned count = count_doubts(c, v);
  chain_node(c, v)->doubts = (signed char)(count > 2 ? 2 : count);
  return chain_node(c, v)->doubts;
}
