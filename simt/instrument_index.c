/* instrument_index.c - an index that wrapped around 2^32 and then addresses memory.
 *
 * Unsigned arithmetic that wraps is defined, and much code means it: hashes, `(i - 1 + n) % n`, loops that run down to "-1". So
 * nothing is said at the operation. Beside each chain of additions, subtractions, multiplications, shifts to the left,
 * conversions, phis and selects that can lose upper bits and ends in an address, the same chain is computed in 64 bits; the
 * access compares. Wraps that cancel out on the way (`i - 1 + 1`) are none. Whatever is no such operation begins a chain anew: what
 * comes out of a division, a mask, an exclusive or or memory is taken as it is.
 *
 * A 32-bit value with its upper bit set may be meant as negative or as large, and the bitcode does not tell. Where nothing else does,
 * both are computed (the two readings), and an address that fits either is right; so is one in between when there are several such
 * values. */
#include "instrument_chain.h"
#include <stdlib.h>

/* ---- the wide chain ---- */

static LLVMValueRef widen(Chains *c, LLVMValueRef v, int reading); /* the wide value of v, which loses */

/* v, which begins a chain, in 64 bits, at the builder. */
static LLVMValueRef start(Chains *c, LLVMValueRef v, int reading) {
  if (chain_is_pointer(v)) return LLVMConstNull(c->in->i64);
  if (chain_width(v) == 64) return v;
  int known = chain_reading(c, v);
  if (known != READINGS) reading = known;
  return reading == SIGNED ? LLVMBuildSExt(c->in->b, v, c->in->i64, "") : LLVMBuildZExt(c->in->b, v, c->in->i64, "");
}

static LLVMValueRef binary(Chains *c, Kind k, LLVMValueRef a, LLVMValueRef b) {
  LLVMBuilderRef at = c->in->b;
  return k == ADD ? LLVMBuildAdd(at, a, b, "") : k == SUB ? LLVMBuildSub(at, a, b, "") : LLVMBuildMul(at, a, b, "");
}

/* Operand o of an operation, wide, at the builder in front of `at`; the chain above it comes first. `outer` is the reading of
 * what the chain begins with elsewhere, `here` that of o itself. */
static LLVMValueRef wide_operand(Chains *c, LLVMValueRef o, LLVMValueRef at, int outer, int here) {
  LLVMValueRef w = chain_loses(c, o) ? widen(c, o, outer) : NULL;
  ins_before(c->in, at);
  return w ? w : start(c, o, here);
}

static LLVMValueRef widen_binary(Chains *c, Kind k, LLVMValueRef v, int reading) {
  LLVMValueRef a = wide_operand(c, LLVMGetOperand(v, 0), v, reading, reading);
  LLVMValueRef b = wide_operand(c, LLVMGetOperand(v, 1), v, reading, reading);
  return binary(c, k, a, b);
}

/* A checked operation that overflowed has been reported: from there on its wrapped value counts. */
static LLVMValueRef widen_checked(Chains *c, LLVMValueRef v, int reading) {
  LLVMValueRef call = chain_checked_call(v), at = LLVMGetNextInstruction(v);
  LLVMValueRef a = wide_operand(c, LLVMGetOperand(call, 0), at, reading, SIGNED);
  LLVMValueRef b = wide_operand(c, LLVMGetOperand(call, 1), at, reading, SIGNED);
  LLVMValueRef w = binary(c, chain_checked_op(v), a, b);
  if (chain_width(v) == 64) return w;
  LLVMValueRef over = LLVMBuildExtractValue(c->in->b, call, 1, "");
  return LLVMBuildSelect(c->in->b, over, LLVMBuildSExt(c->in->b, v, c->in->i64, ""), w, "");
}

static LLVMValueRef widen_shift(Chains *c, LLVMValueRef v, int reading) {
  LLVMValueRef a = wide_operand(c, LLVMGetOperand(v, 0), v, reading, reading);
  return LLVMBuildShl(c->in->b, a, LLVMConstInt(c->in->i64, LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)), 0), "");
}

/* The bytes that one step of index i of an address computation is worth, 0 for fields; *t becomes the type it leads to. */
static uint64_t step_bytes(Chains *c, LLVMValueRef gep, unsigned i, LLVMTypeRef *t) {
  if (i > 1 && LLVMGetTypeKind(*t) == LLVMStructTypeKind) {
    *t = LLVMStructGetTypeAtIndex(*t, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i)));
    return 0;
  }
  if (i > 1) *t = LLVMGetElementType(*t);
  return LLVMABISizeOfType(c->in->data, *t);
}

/* The size of the steps, if all that lose bits on the way to pointer p are of one; else 1. So nearly always nothing has to be
 * multiplied. have: what was found before, 0 at first. */
static uint64_t common_step(Chains *c, LLVMValueRef p, uint64_t have) {
  if (!chain_loses(c, p) || !chain_is_new(c, p, FOR_UNIT)) return have;
  unsigned first, end;
  int is_gep = chain_kind(c, p) == GEP;
  LLVMValueRef from = chain_carrier(c, p, &first, &end);
  LLVMTypeRef t = is_gep ? LLVMGetGEPSourceElementType(p) : NULL;
  for (unsigned i = first; i < end; i++) {
    LLVMValueRef o = LLVMGetOperand(from, i);
    uint64_t step = is_gep && i > 0 ? step_bytes(c, p, i, &t) : 0;
    if (chain_is_pointer(o)) have = common_step(c, o, have);
    else if (chain_loses(c, o)) have = !have || have == step ? step : 1;
  }
  return have;
}

static uint64_t unit_bytes(Chains *c, LLVMValueRef p) {
  uint64_t unit = chain_node(c, p)->unit_bytes;
  if (unit) return unit;
  c->search[FOR_UNIT]++;
  unit = common_step(c, p, 0);
  chain_node(c, p)->unit_bytes = unit ? unit : 1;
  return unit ? unit : 1;
}

static LLVMValueRef times(Chains *c, LLVMValueRef v, uint64_t factor) {
  return factor == 1 ? v : LLVMBuildMul(c->in->b, v, LLVMConstInt(c->in->i64, factor, 0), "");
}

/* What pointer o lacks, in units of v, at the builder in front of `at`. */
static LLVMValueRef wide_pointer(Chains *c, LLVMValueRef v, LLVMValueRef o, LLVMValueRef at, int reading) {
  LLVMValueRef w = wide_operand(c, o, at, reading, reading);
  return chain_loses(c, o) ? times(c, w, unit_bytes(c, o) / unit_bytes(c, v)) : w;
}

/* Operand o of v, a phi, select or conversion. */
static LLVMValueRef wide_of(Chains *c, LLVMValueRef v, LLVMValueRef o, LLVMValueRef at, int reading) {
  return chain_is_pointer(o) ? wide_pointer(c, v, o, at, reading) : wide_operand(c, o, at, reading, reading);
}

static LLVMValueRef widen_select(Chains *c, LLVMValueRef v, int reading) {
  LLVMValueRef a = wide_of(c, v, LLVMGetOperand(v, 1), v, reading), b = wide_of(c, v, LLVMGetOperand(v, 2), v, reading);
  return LLVMBuildSelect(c->in->b, LLVMGetOperand(v, 0), a, b, "");
}

/* What comes over edge i. Two edges from one block bring one value. */
static LLVMValueRef over_edge(Chains *c, LLVMValueRef v, unsigned i, LLVMValueRef *earlier, int reading) {
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
  for (unsigned k = 0; k < i; k++)
    if (LLVMGetIncomingBlock(v, k) == from) return earlier[k];
  return wide_of(c, v, LLVMGetIncomingValue(v, i), LLVMGetBasicBlockTerminator(from), reading);
}

static LLVMValueRef widen_phi(Chains *c, LLVMValueRef v, int reading) {
  unsigned n = LLVMCountIncoming(v);
  LLVMValueRef *in = calloc(n, sizeof *in);
  if (!in) abort();
  ins_before(c->in, v);
  LLVMValueRef phi = LLVMBuildPhi(c->in->b, c->in->i64, "");
  chain_node(c, v)->wide[reading] = phi; /* the chain may come back to it */
  for (unsigned i = 0; i < n; i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(v, i);
    in[i] = over_edge(c, v, i, in, reading);
    LLVMAddIncoming(phi, &in[i], &from, 1);
  }
  free(in);
  return phi;
}

/* Sum of what each index lacks. */
static LLVMValueRef widen_gep(Chains *c, LLVMValueRef v, int reading) {
  LLVMBuilderRef at = c->in->b;
  LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
  LLVMValueRef sum = wide_pointer(c, v, LLVMGetOperand(v, 0), v, reading);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(v); i++) {
    LLVMValueRef k = LLVMGetOperand(v, i);
    uint64_t step = step_bytes(c, v, i, &t);
    if (!chain_loses(c, k)) continue;
    LLVMValueRef w = wide_operand(c, k, v, reading, reading);
    LLVMValueRef lack = LLVMBuildSub(at, w, LLVMBuildSExtOrBitCast(at, k, c->in->i64, ""), "");
    sum = LLVMBuildAdd(at, sum, times(c, lack, step / unit_bytes(c, v)), "");
  }
  return sum;
}

static LLVMValueRef build(Chains *c, LLVMValueRef v, int reading) {
  Kind k = chain_kind(c, v);
  switch (k) {
  case LEAF: break; /* does not lose anything */
  case ADD:
  case SUB:
  case MUL: return widen_binary(c, k, v, reading);
  case SHL: return widen_shift(c, v, reading);
  case CHECKED: return widen_checked(c, v, reading);
  case WIDEN:
  case TRUNC:
  case CAST: return wide_of(c, v, LLVMGetOperand(v, 0), v, reading);
  case PHI: return widen_phi(c, v, reading);
  case SELECT: return widen_select(c, v, reading);
  case GEP: return widen_gep(c, v, reading);
  }
  return NULL;
}

static LLVMValueRef widen(Chains *c, LLVMValueRef v, int reading) {
  if (!chain_doubts(c, v)) reading = SIGNED;
  LLVMValueRef w = chain_node(c, v)->wide[reading];
  if (w) return w;
  w = build(c, v, reading);
  chain_node(c, v)->wide[reading] = w;
  return w;
}

/* ---- accesses ---- */

/* The sites of a check. The two accesses of `x[i] += 1` share them, and so are one finding. */
static void find_sites(Chains *c, LLVMValueRef inst, LLVMValueRef p, uint64_t bytes) {
  LLVMValueRef op = chain_loss(c, p);
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
  if (chain_checked_call(op)) op = chain_checked_call(op);
  if (loc && loc == c->loc && op == c->op) return;
  c->loc = loc;
  c->op = op;
  c->site = ins_site(c->in, inst, bytes, 0, 0);
  c->op_site = ins_site(c->in, op, 1, 0, 0);
}

static void check_access(Chains *c, LLVMValueRef inst, unsigned operand, uint64_t bytes, int is_write) {
  Ins *in = c->in;
  LLVMValueRef p = LLVMGetOperand(inst, operand);
  if (!chain_loses(c, p)) return;
  LLVMValueRef s = widen(c, p, SIGNED), u = widen(c, p, UNSIGNED);
  find_sites(c, inst, p, bytes);
  ins_before(in, inst);
  LLVMValueRef args[8] = {ins_as_ptr(in, p), s, u, LLVMConstInt(in->i64, unit_bytes(c, p), 0),
                          LLVMConstInt(in->i32, chain_doubts(c, p) > 1, 0), LLVMConstInt(in->i32, (unsigned)is_write, 0),
                          c->site, c->op_site};
  ins_call(in, "simt_check_index", LLVMVoidTypeInContext(in->ctx), args, 8);
}

static void on_call(Chains *c, LLVMValueRef inst) {
  size_t len = 0;
  LLVMValueRef f = LLVMGetCalledValue(inst);
  const char *name = f && LLVMIsAFunction(f) ? LLVMGetValueName2(f, &len) : "";
  int copies = ins_starts_with(name, len, "llvm.memcpy.") || ins_starts_with(name, len, "llvm.memmove.");
  if (ins_starts_with(name, len, "simt_op_atomic")) /* in the shim, for the user */
    check_access(c, inst, 0, LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 1)), 1);
  if ((!copies && !ins_starts_with(name, len, "llvm.memset.")) || !ins_is_user(c->in, inst)) return;
  LLVMValueRef n = LLVMGetOperand(inst, 2);
  uint64_t bytes = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 1;
  if (copies) check_access(c, inst, 1, bytes, 0);
  check_access(c, inst, 0, bytes, 1);
}

static void on_instruction(Chains *c, LLVMValueRef i) {
  LLVMTargetDataRef data = c->in->data;
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMCall) on_call(c, i);
  if (!ins_is_user(c->in, i)) return;
  if (op == LLVMLoad) check_access(c, i, 0, LLVMStoreSizeOfType(data, LLVMTypeOf(i)), 0);
  if (op == LLVMStore) check_access(c, i, 1, LLVMStoreSizeOfType(data, LLVMTypeOf(LLVMGetOperand(i, 0))), 1);
  if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg)
    check_access(c, i, 0, LLVMStoreSizeOfType(data, LLVMTypeOf(LLVMGetOperand(i, 1))), 1);
}

void ins_indices(Ins *in, LLVMValueRef fn) {
  Chains c = {.in = in, .node = calloc(1024, sizeof(Node)), .mask = 1023};
  if (!c.node) abort();
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      on_instruction(&c, i);
    }
  free(c.node);
}
