/* instrument_bits.c - which bits of a local variable of a class or union nobody has assigned: members of any width, fields of bits, the part of a
 * union that another member does not cover.
 *
 * Beside each such variable that is only used by its name lies another one of its size, the mask: 1 for each bit of a member that nobody has
 * assigned. Stores clear bits of it, copies between such variables copy it, and at a load the bits that are used must be 0. Nothing
 * of it is left where the optimiser sees that they are. Padding is never looked at, and begins with 0, so that it is alike in every run. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64, DEPTH = 8 };

typedef struct Use { /* an access to `bytes` bytes at byte `off`; off -1: not known where */
  LLVMValueRef inst;
  int64_t off;
  uint64_t bytes;
  int as; /* operand of inst that is the address */
} Use;

typedef struct InsExact {
  LLVMValueRef at, mask;
  uint64_t bytes;
  Use *use;
  size_t n_uses;
} Exact;

typedef InsBits All;

/* ---- what becomes of a variable ---- */

static int is_copy(LLVMValueRef i) { return ins_calls(i, "llvm.memcpy.") || ins_calls(i, "llvm.memmove."); }

static void add_use(Exact *e, LLVMValueRef inst, int64_t off, uint64_t bytes, int as) {
  e->use = ins_grow(e->use, e->n_uses, sizeof *e->use);
  e->use[e->n_uses++] = (Use){inst, off < 0 || bytes > e->bytes || (uint64_t)off > e->bytes - bytes ? -1 : off, bytes, as};
}

/* Bytes that a memory intrinsic works on; more than any variable has: not known. */
static uint64_t length_of(LLVMValueRef call) {
  LLVMValueRef n = LLVMGetOperand(call, 2);
  return LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : MOST_BYTES + 1;
}

static int follow_call(Exact *e, LLVMValueRef call, LLVMValueRef p, int64_t off) {
  if (!is_copy(call) && !ins_calls(call, "llvm.memset.")) return ins_calls(call, "llvm.") ? 0 : -1;
  for (int k = 0; k < 2; k++)
    if (LLVMGetOperand(call, (unsigned)k) == p) add_use(e, call, off, length_of(call), k);
  return 0;
}

static int follow(Ins *in, Exact *e, LLVMValueRef p, int64_t off, int depth);

static int follow_user(Ins *in, Exact *e, LLVMValueRef user, LLVMValueRef p, int64_t off, int depth) {
  int64_t to = off;
  if (LLVMIsAGetElementPtrInst(user)) return follow(in, e, user, off < 0 || !ins_add_offset(in, user, &to) || to < 0 ? -1 : to, depth + 1);
  if (LLVMIsABitCastInst(user)) return follow(in, e, user, off, depth + 1);
  if (LLVMIsALoadInst(user)) add_use(e, user, off, LLVMStoreSizeOfType(in->data, LLVMTypeOf(user)), 0);
  else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != p)
    add_use(e, user, off, LLVMStoreSizeOfType(in->data, LLVMTypeOf(LLVMGetOperand(user, 0))), 1);
  else return LLVMIsACallInst(user) ? follow_call(e, user, p, off) : -1;
  return 0;
}

static int follow(Ins *in, Exact *e, LLVMValueRef p, int64_t off, int depth) {
  for (LLVMUseRef u = depth > DEPTH ? NULL : LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u))
    if (follow_user(in, e, LLVMGetUser(u), p, off, depth)) return -1;
  return depth > DEPTH ? -1 : 0;
}

static Exact *exact_of(const All *all, LLVMValueRef at) {
  for (size_t i = 0; i < all->n; i++)
    if (all->v[i].at == at) return &all->v[i];
  return NULL;
}

/* Its bytes; 0: too many. */
static uint64_t bytes_of(Ins *in, LLVMValueRef at) {
  LLVMTypeRef t = LLVMGetAllocatedType(at);
  LLVMValueRef n = LLVMGetOperand(at, 0);
  LLVMBasicBlockRef bb = LLVMGetInstructionParent(at);
  if (bb != LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(bb)) || !LLVMTypeIsSized(t) || !LLVMIsAConstantInt(n)) return 0;
  const uint64_t bytes = LLVMABISizeOfType(in->data, t) * LLVMConstIntGetZExtValue(n);
  return bytes <= MOST_BYTES ? bytes : 0;
}

static void add_variable(Ins *in, All *all, LLVMValueRef at) {
  Exact e = {.at = at, .bytes = bytes_of(in, at)};
  if (!e.bytes || exact_of(all, at)) return;
  if (follow(in, &e, at, 0, 0)) {
    free(e.use);
    return;
  }
  all->v = ins_grow(all->v, all->n, sizeof *all->v);
  all->v[all->n++] = e;
}

/* Temporaries that such a variable is copied to, as those for arguments are. */
static void add_copies(Ins *in, All *all) {
  for (size_t i = 0; i < all->n; i++)
    for (size_t k = 0; k < all->v[i].n_uses; k++) {
      const Use *u = &all->v[i].use[k];
      LLVMValueRef to = is_copy(u->inst) && u->as == 1 ? ins_variable_at(LLVMGetOperand(u->inst, 0)) : NULL;
      if (to) add_variable(in, all, to);
    }
}

/* ---- code ---- */

static LLVMTypeRef word_type(Ins *in, uint64_t bytes) { return LLVMIntTypeInContext(in->ctx, (unsigned)(8 * bytes)); }

static LLVMValueRef place(Ins *in, LLVMValueRef variable, uint64_t off, LLVMTypeRef t) {
  LLVMValueRef at = LLVMConstInt(in->i64, off, 0);
  return LLVMBuildPointerCast(in->b, LLVMBuildGEP2(in->b, in->i8, ins_as_ptr(in, variable), &at, 1, ""), LLVMPointerType(t, 0), "");
}

static LLVMValueRef take(Ins *in, LLVMValueRef variable, uint64_t off, uint64_t bytes) {
  LLVMValueRef v = LLVMBuildLoad2(in->b, word_type(in, bytes), place(in, variable, off, word_type(in, bytes)), "");
  LLVMSetAlignment(v, 1);
  return v;
}

static void leave(Ins *in, LLVMValueRef variable, uint64_t off, LLVMValueRef v) {
  LLVMSetAlignment(LLVMBuildStore(in->b, v, place(in, variable, off, LLVMTypeOf(v))), 1);
}

/* The longest word that begins at a byte of a range. */
static uint64_t word_at(uint64_t off, uint64_t end) {
  uint64_t bytes = 8;
  while (off % bytes || off + bytes > end) bytes /= 2;
  return bytes;
}

static uint64_t bits_at(const uint8_t *map, uint64_t off, uint64_t bytes) {
  uint64_t v = 0;
  memcpy(&v, map + off, bytes);
  return v;
}

static void fill(Ins *in, const Exact *e, uint64_t off, uint64_t bytes) { /* with zeros */
  for (uint64_t at = off, n; at < off + bytes; at += n) {
    n = word_at(at, off + bytes);
    leave(in, e->mask, at, LLVMConstInt(word_type(in, n), 0, 0));
  }
}

/* v, of the type that a check takes; with the bits of the run's fill where `unset` has bits. */
static LLVMValueRef checked(Ins *in, const Exact *e, LLVMValueRef v, LLVMValueRef unset, LLVMValueRef inst) {
  LLVMTypeRef own = LLVMTypeOf(v), t = LLVMGetIntTypeWidth(own) > 32 ? in->i64 : in->i32;
  LLVMValueRef site = ins_site(in, inst, 1, 0, 0);
  ins_local_site(in, e->at, 0, LLVMGetAllocatedType(e->at), site);
  LLVMValueRef args[3] = {LLVMBuildZExtOrBitCast(in->b, v, t, ""), LLVMBuildZExtOrBitCast(in->b, unset, t, ""), site};
  return LLVMBuildTruncOrBitCast(in->b, ins_call(in, t == in->i64 ? "simt_local_bits_8" : "simt_local_bits_4", t, args, 3), own, "");
}

/* ---- where it begins ---- */

/* members: 1 for each bit of a member in the word at `off`. */
static void begin_word(Ins *in, const Exact *e, LLVMValueRef at, uint64_t off, LLVMValueRef members) {
  const uint64_t bytes = LLVMGetIntTypeWidth(LLVMTypeOf(members)) / 8;
  if (!LLVMIsNull(LLVMConstNot(members))) leave(in, at, off, LLVMBuildAnd(in->b, take(in, at, off, bytes), members, ""));
  if (e) leave(in, e->mask, off, members);
}

/* Behind the instruction that gives a variable its beginning: nobody has assigned any of its members. e NULL: it is not one of those that are
 * followed, and has padding all the same. */
static void on_start(Ins *in, const Exact *e, LLVMValueRef start, LLVMValueRef at, int64_t off, uint64_t bytes) {
  uint8_t map[MOST_BYTES];
  const uint64_t whole = bytes_of(in, at), end = (uint64_t)off + bytes;
  if (off < 0 || end > whole || LLVMGetTypeKind(LLVMGetAllocatedType(at)) != LLVMStructTypeKind) return;
  if (ins_member_bits(in, at, map, whole)) memset(map, 0xff, sizeof map);
  ins_before(in, LLVMGetNextInstruction(start));
  for (uint64_t k = (uint64_t)off, n; k < end; k += n) {
    n = word_at(k, end);
    begin_word(in, e, at, k, LLVMConstInt(word_type(in, n), bits_at(map, k, n), 0));
  }
}

void ins_bits_start(Ins *in, const InsBits *all, LLVMValueRef start) {
  const int is_store = !!LLVMIsAStoreInst(start);
  int64_t off = 0;
  LLVMValueRef p = LLVMGetOperand(start, is_store ? 1 : 0);
  for (; !LLVMIsAAllocaInst(p); p = LLVMGetOperand(p, 0)) {
    if (!LLVMIsAGetElementPtrInst(p) && !LLVMIsABitCastInst(p)) return;
    if (LLVMIsAGetElementPtrInst(p) && !ins_add_offset(in, p, &off)) return;
  }
  on_start(in, exact_of(all, p), start, p, off, is_store ? LLVMStoreSizeOfType(in->data, LLVMTypeOf(LLVMGetOperand(start, 0))) : length_of(start));
}

/* ---- stores, which may be of a field of bits: v = (load & ~field) | value ---- */

static const Use *use_of(const Exact *e, LLVMValueRef inst) {
  for (size_t i = 0; i < e->n_uses; i++)
    if (e->use[i].inst == inst) return &e->use[i];
  return NULL;
}

/* v is what lies at the same place, but for some bits: those that stay. */
static int keeps_bits(const Exact *e, const Use *store, LLVMValueRef v, uint64_t *bits) {
  if (!LLVMIsABinaryOperator(v) || LLVMGetInstructionOpcode(v) != LLVMAnd || !LLVMIsAConstantInt(LLVMGetOperand(v, 1))) return 0;
  LLVMValueRef load = LLVMGetOperand(v, 0);
  const Use *u = LLVMIsALoadInst(load) ? use_of(e, load) : NULL;
  *bits = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
  return u && u->off >= 0 && u->off == store->off && u->bytes == store->bytes;
}

static int keeps_part(const Exact *e, const Use *store, LLVMValueRef v, uint64_t *bits) {
  if (LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMOr)
    return keeps_bits(e, store, LLVMGetOperand(v, 0), bits) || keeps_bits(e, store, LLVMGetOperand(v, 1), bits);
  return keeps_bits(e, store, v, bits);
}

static void on_store(Ins *in, const Exact *e, const Use *u) {
  uint64_t kept, bytes = u->bytes;
  ins_before(in, u->inst);
  if (u->off < 0) fill(in, e, 0, e->bytes); /* it may be anywhere */
  else if (bytes <= 8 && !(bytes & (bytes - 1)) && keeps_part(e, u, LLVMGetOperand(u->inst, 0), &kept))
    leave(in, e->mask, (uint64_t)u->off,
          LLVMBuildAnd(in->b, take(in, e->mask, (uint64_t)u->off, bytes), LLVMConstInt(word_type(in, bytes), kept, 0), ""));
  else fill(in, e, (uint64_t)u->off, bytes);
}

/* ---- loads ---- */

static int only_stored_back(const Exact *e, const Use *load, LLVMValueRef v, int depth) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    const Use *store = LLVMIsAStoreInst(user) ? use_of(e, user) : NULL;
    int is_or = !depth && LLVMIsABinaryOperator(user) && LLVMGetInstructionOpcode(user) == LLVMOr;
    if (is_or ? !only_stored_back(e, load, user, 1) : !store || store->off != load->off || store->bytes != load->bytes) return 0;
  }
  return 1;
}

/* Bits of a word that `user` has use for. */
static uint64_t bits_wanted(const Exact *e, const Use *load, LLVMValueRef user, uint64_t whole) {
  LLVMValueRef k = LLVMIsABinaryOperator(user) ? LLVMGetOperand(user, 1) : NULL, only;
  if (!k || !LLVMIsAConstantInt(k)) return LLVMIsATruncInst(user) ? whole & ((2ull << (LLVMGetIntTypeWidth(LLVMTypeOf(user)) - 1)) - 1) : whole;
  const uint64_t n = LLVMConstIntGetZExtValue(k);
  LLVMUseRef first = LLVMGetFirstUse(user);
  only = first && !LLVMGetNextUse(first) && LLVMIsABinaryOperator(LLVMGetUser(first)) ? LLVMGetUser(first) : NULL;
  LLVMValueRef other = only && LLVMIsAConstantInt(LLVMGetOperand(only, 1)) ? LLVMGetOperand(only, 1) : NULL;
  const uint64_t m = other ? LLVMConstIntGetZExtValue(other) : 0;
  switch ((int)LLVMGetInstructionOpcode(user)) {
  case LLVMAnd: return only_stored_back(e, load, user, 0) ? 0 : n;
  case LLVMLShr: return other && LLVMGetInstructionOpcode(only) == LLVMAnd ? m << n & whole : whole << n & whole;
  case LLVMShl: return other && LLVMGetInstructionOpcode(only) == LLVMAShr ? (whole << m & whole) >> n : whole >> n;
  default: return whole;
  }
}

/* Pointers are left alone: what they are made of is followed elsewhere. */
static int is_number(LLVMTypeRef t, uint64_t bytes) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  if (k == LLVMIntegerTypeKind) return LLVMGetIntTypeWidth(t) == 8 * bytes && bytes <= 8 && !(bytes & (bytes - 1));
  return k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind;
}

static uint64_t all_wanted(const Exact *e, const Use *u) {
  const uint64_t whole = u->bytes < 8 ? (1ull << 8 * u->bytes) - 1 : ~0ull;
  uint64_t wanted = 0;
  for (LLVMUseRef k = LLVMGetFirstUse(u->inst); k; k = LLVMGetNextUse(k)) wanted |= bits_wanted(e, u, LLVMGetUser(k), whole);
  return wanted;
}

/* Puts `value` in the place of inst in the instructions that use it now. */
static void replace_in(LLVMValueRef *users, size_t n, LLVMValueRef inst, LLVMValueRef value) {
  for (size_t i = 0; i < n; i++)
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(users[i]); k++)
      if (LLVMGetOperand(users[i], k) == inst) LLVMSetOperand(users[i], k, value);
}

static void on_load(Ins *in, const Exact *e, const Use *u) {
  LLVMTypeRef own = LLVMTypeOf(u->inst), t = word_type(in, u->bytes);
  const uint64_t wanted = u->off >= 0 && is_number(own, u->bytes) ? all_wanted(e, u) : 0;
  LLVMValueRef *users = NULL;
  size_t n = 0;
  if (!wanted) return;
  for (LLVMUseRef k = LLVMGetFirstUse(u->inst); k; k = LLVMGetNextUse(k), n++) {
    users = ins_grow(users, n, sizeof *users);
    users[n] = LLVMGetUser(k);
  }
  ins_before(in, LLVMGetNextInstruction(u->inst));
  LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(u->inst));
  LLVMValueRef unset = LLVMBuildAnd(in->b, take(in, e->mask, (uint64_t)u->off, u->bytes), LLVMConstInt(t, wanted, 0), "");
  LLVMValueRef word = checked(in, e, LLVMBuildBitCast(in->b, u->inst, t, ""), unset, u->inst);
  replace_in(users, n, u->inst, LLVMBuildBitCast(in->b, word, own, ""));
  free(users);
}

/* ---- copies ---- */

/* The variable that the other side of a copy is in, if it is followed as well, and known where. */
static const Exact *other_side(const All *all, LLVMValueRef copy, int as, int64_t *off) {
  LLVMValueRef at = ins_variable_at(LLVMGetOperand(copy, (unsigned)as));
  const Exact *e = at ? exact_of(all, at) : NULL;
  for (size_t i = 0; e && i < e->n_uses; i++)
    if (e->use[i].inst == copy && e->use[i].as == as && e->use[i].off >= 0) {
      *off = e->use[i].off;
      return e;
    }
  return NULL;
}

static void on_written(Ins *in, const All *all, const Exact *e, const Use *u) {
  int64_t from_off = 0;
  const Exact *from = is_copy(u->inst) && u->off >= 0 ? other_side(all, u->inst, 1, &from_off) : NULL;
  ins_before(in, u->inst);
  if (!from) {
    fill(in, e, u->off < 0 ? 0 : (uint64_t)u->off, u->off < 0 ? e->bytes : u->bytes);
    return;
  }
  for (uint64_t k = 0, n; k < u->bytes; k += n) {
    n = word_at((uint64_t)u->off + k, (uint64_t)u->off + u->bytes);
    leave(in, e->mask, (uint64_t)u->off + k, take(in, from->mask, (uint64_t)from_off + k, n));
  }
}

/* Copied to where nobody keeps account: each member has to have a value, or may be found to matter. */
static void on_taken(Ins *in, const All *all, const Exact *e, const Use *u) {
  int64_t to_off;
  if (u->off < 0 || !is_copy(u->inst) || other_side(all, u->inst, 0, &to_off)) return;
  ins_before(in, u->inst);
  for (uint64_t k = (uint64_t)u->off, end = k + u->bytes, n; k < end; k += n) {
    n = word_at(k, end);
    leave(in, e->at, k, checked(in, e, take(in, e->at, k, n), take(in, e->mask, k, n), u->inst));
  }
}

/* ---- all of a function ---- */

static void make_mask(Ins *in, Exact *e) {
  LLVMPositionBuilderBefore(in->b, LLVMGetNextInstruction(e->at));
  LLVMSetCurrentDebugLocation2(in->b, NULL);
  e->mask = LLVMBuildAlloca(in->b, LLVMArrayType(in->i8, (unsigned)e->bytes), "");
  LLVMSetAlignment(e->mask, 8);
  fill(in, e, 0, e->bytes);
}

static void on_use(Ins *in, const All *all, const Exact *e, const Use *u) {
  if (LLVMIsALoadInst(u->inst)) return;
  if (LLVMIsAStoreInst(u->inst)) on_store(in, e, u);
  else if (u->as == 0) on_written(in, all, e, u);
  else if (ins_is_user(in, u->inst)) on_taken(in, all, e, u);
}

void ins_bits_begin(Ins *in, InsBits *all, LLVMValueRef *variable, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (LLVMGetTypeKind(LLVMGetAllocatedType(variable[i])) == LLVMStructTypeKind) add_variable(in, all, variable[i]);
  add_copies(in, all);
  for (size_t i = 0; i < all->n; i++) make_mask(in, &all->v[i]);
}

int ins_bits_has(const InsBits *all, LLVMValueRef variable) { return exact_of(all, variable) != NULL; }

void ins_bits_end(Ins *in, InsBits *all) {
  for (size_t i = 0; i < all->n; i++)
    for (size_t k = 0; k < all->v[i].n_uses; k++)
      if (!ins_is_start(in, all->v[i].use[k].inst)) on_use(in, all, &all->v[i], &all->v[i].use[k]);
  for (size_t i = 0; i < all->n; i++)
    for (size_t k = 0; k < all->v[i].n_uses; k++)
      if (LLVMIsALoadInst(all->v[i].use[k].inst) && ins_is_user(in, all->v[i].use[k].inst)) on_load(in, &all->v[i], &all->v[i].use[k]);
  for (size_t i = 0; i < all->n; i++) free(all->v[i].use);
  free(all->v);
}
