/* instrument_local.c - accesses to local arrays, by-value arguments and constant data. The object and its size are known where
 * the access is written; what is checked at run time is an index that is not known to be good.
 *
 * Local arrays whose address goes where it cannot be followed (memory, a call, a choice between two) lie between guards, which
 * the engine sees when an access comes through such a pointer. */
#include "instrument.h"
#include <string.h>

static LLVMValueRef step_down(LLVMValueRef p) {
  return LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p) ? LLVMGetOperand(p, 0) : NULL;
}

/* The type of a parameter that is a copy of the caller's object, else NULL. */
static LLVMTypeRef copied_type(LLVMValueRef p) {
  if (!LLVMIsAArgument(p)) return NULL;
  LLVMValueRef fn = LLVMGetParamParent(p);
  unsigned i = 0;
  while (LLVMGetParam(fn, i) != p) i++;
  LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(fn, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
  return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

LLVMTypeRef ins_object_type(LLVMValueRef p) {
  if (LLVMIsAAllocaInst(p)) return LLVMIsAConstantInt(LLVMGetOperand(p, 0)) ? LLVMGetAllocatedType(p) : NULL;
  if (LLVMIsAGlobalVariable(p)) return LLVMIsGlobalConstant(p) && LLVMGetInitializer(p) ? LLVMGlobalGetValueType(p) : NULL;
  return copied_type(p);
}

/* Bytes of that object; 0: not known. */
static uint64_t object_bytes(Ins *in, LLVMValueRef p) {
  LLVMTypeRef t = ins_object_type(p);
  return t ? LLVMABISizeOfType(in->data, t) * (LLVMIsAAllocaInst(p) ? LLVMConstIntGetZExtValue(LLVMGetOperand(p, 0)) : 1) : 0;
}

int ins_is_own_object(LLVMValueRef p) {
  for (LLVMValueRef next; (next = step_down(p)); p = next) {}
  while (LLVMIsAConstantExpr(p) && LLVMGetNumOperands(p) > 0) p = LLVMGetOperand(p, 0);
  return LLVMIsAAllocaInst(p) || copied_type(p) || (LLVMIsAGlobalVariable(p) && LLVMIsGlobalConstant(p));
}

int ins_add_offset(Ins *in, LLVMValueRef gep, int64_t *off) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef k = LLVMGetOperand(gep, (unsigned)i);
    if (!LLVMIsAConstantInt(k)) return 0;
    if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(k);
      *off += (int64_t)LLVMOffsetOfElement(in->data, t, field);
      t = LLVMStructGetTypeAtIndex(t, field);
      continue;
    }
    if (i > 1) t = LLVMGetElementType(t);
    *off += LLVMConstIntGetSExtValue(k) * (int64_t)LLVMABISizeOfType(in->data, t);
  }
  return 1;
}

/* What the last index of a GEP selects, when that is a field of a struct; else NULL. */
static LLVMTypeRef selected_field(LLVMValueRef gep) {
  int n = LLVMGetNumOperands(gep);
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep), field = NULL;
  for (int i = 2; i < n; i++) {
    LLVMValueRef k = LLVMGetOperand(gep, (unsigned)i);
    field = NULL;
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      unsigned at = (unsigned)LLVMConstIntGetZExtValue(k);
      t = field = LLVMStructGetTypeAtIndex(t, at);
    } else
      t = LLVMGetElementType(t);
  }
  return field;
}

/* Is a member of type t the first thing in an object of type `whole`? */
static int begins_with(LLVMTypeRef whole, LLVMTypeRef t) {
  while (whole && LLVMGetTypeKind(whole) == LLVMStructTypeKind && LLVMCountStructElementTypes(whole)) {
    whole = LLVMStructGetTypeAtIndex(whole, 0);
    if (whole == t) return 1;
  }
  return 0;
}

/* Does this GEP index an array that is a member of a struct? A row of a larger array is none: code walks over rows. The step to a
 * first member may have been folded away. */
static int indexes_member(LLVMValueRef gep) {
  LLVMValueRef base = LLVMGetOperand(gep, 0), first = LLVMGetOperand(gep, 1);
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  if (LLVMGetTypeKind(t) != LLVMArrayTypeKind || LLVMGetArrayLength(t) < 2) return 0;
  if (!LLVMIsAConstantInt(first) || LLVMConstIntGetZExtValue(first)) return 0;
  return LLVMIsAGetElementPtrInst(base) ? selected_field(base) == t : begins_with(ins_object_type(base), t);
}

/* The object that p must stay within, and the variable it is part of. */
typedef struct Target {
  LLVMValueRef base, root;
  LLVMTypeRef type; /* of the object */
  uint64_t bytes;
  int64_t off; /* of p in it */
  int known;   /* off is a constant */
  int64_t base_off; /* of base in root */
  int base_known;
} Target;

static int find_target(Ins *in, LLVMValueRef p, Target *to) {
  int64_t off = 0;
  int known = 1;
  memset(to, 0, sizeof *to);
  for (LLVMValueRef next; (next = step_down(p)); p = next) {
    if (!LLVMIsAGetElementPtrInst(p)) continue;
    known = known && ins_add_offset(in, p, &off);
    to->base_known = to->base_known && ins_add_offset(in, p, &to->base_off);
    if (!to->base && indexes_member(p)) {
      LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
      *to = (Target){.base = next, .type = t, .bytes = LLVMABISizeOfType(in->data, t), .off = off, .known = known, .base_known = 1};
    }
  }
  to->root = p;
  if (to->base) return object_bytes(in, p) > 0;
  *to = (Target){p, p, ins_object_type(p), object_bytes(in, p), off, known, 0, 1};
  return to->bytes > 0;
}

LLVMValueRef ins_local(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMValueRef bytes, int writes) {
  Target to;
  if (!find_target(in, p, &to)) return NULL;
  if (to.known && to.off >= 0 && LLVMIsAConstantInt(bytes) && (uint64_t)to.off + LLVMConstIntGetZExtValue(bytes) <= to.bytes) return NULL;
  int constant = !!LLVMIsAGlobalVariable(to.root);
  size_t len;
  const char *name = constant ? ins_source_name(in, to.root, &len) : NULL;
  ins_before(in, inst);
  LLVMValueRef site = ins_site(in, inst, 1, 0, 0);
  if (!constant && to.base_known) ins_local_site(in, to.root, (uint64_t)to.base_off, to.type, site);
  LLVMValueRef args[6] = {ins_as_ptr(in, p), ins_as_ptr(in, to.base), LLVMConstInt(in->i64, to.bytes, 0),
                          LLVMBuildZExtOrBitCast(in->b, bytes, in->i64, ""),
                          constant ? ins_string(in, name, len) : LLVMConstInt(in->i32, (unsigned)writes, 0),
                          site};
  return ins_call(in, constant ? "simt_constant" : "simt_local", in->ptr, args, 6);
}

/* ---- guards ---- */

/* Calls that do not keep the address: the copies and checks of this program, and notes for debuggers. */
static int is_harmless_call(LLVMValueRef call) {
  size_t len;
  const char *name = ins_callee_name(call, &len);
  return ins_starts_with(name, len, "llvm.") || ins_starts_with(name, len, "simt_local") || ins_starts_with(name, len, "simt_load_") ||
         ins_starts_with(name, len, "simt_store_");
}

/* Does the address go where it is not followed to the access? What a check returns is only for the access behind it. */
static int escapes(LLVMValueRef p, int depth) {
  if (depth > 16) return 1;
  for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    switch (LLVMIsAInstruction(user) ? (int)LLVMGetInstructionOpcode(user) : 0) {
    case LLVMLoad:
    case LLVMICmp:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: break;
    case LLVMStore:
      if (LLVMGetOperand(user, 0) == p) return 1;
      break;
    case LLVMGetElementPtr:
    case LLVMBitCast:
      if (escapes(user, depth + 1)) return 1;
      break;
    case LLVMCall:
      if (!is_harmless_call(user)) return 1;
      break;
    default: return 1;
    }
  }
  return 0;
}

/* Something that code walks through: an array, or the likes of float4. */
static int holds_elements(LLVMTypeRef t, int depth) {
  if (LLVMGetTypeKind(t) == LLVMArrayTypeKind || LLVMGetTypeKind(t) == LLVMVectorTypeKind) return 1;
  if (LLVMGetTypeKind(t) != LLVMStructTypeKind || depth > 8) return 0;
  unsigned n = LLVMCountStructElementTypes(t), same = 0;
  for (unsigned i = 0; i < n; i++) {
    LLVMTypeRef e = LLVMStructGetTypeAtIndex(t, i);
    if (holds_elements(e, depth + 1)) return 1;
    same += e == LLVMStructGetTypeAtIndex(t, 0) && LLVMGetTypeKind(e) != LLVMPointerTypeKind;
  }
  return n > 1 && same == n;
}

static void guard_call(Ins *in, const char *name, LLVMValueRef array, uint64_t bytes) {
  LLVMValueRef args[2] = {array, LLVMConstInt(in->i64, bytes, 0)};
  ins_call(in, name, LLVMVoidTypeInContext(in->ctx), args, 2);
}

/* A frame that is left takes its guards along; those of a kernel end with its block. */
static void drop_at_returns(Ins *in, LLVMValueRef fn, LLVMValueRef array, uint64_t bytes) {
  const char *section = LLVMGetSection(fn);
  if (section && !strcmp(section, "simt_global")) return;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(bb);
    if (!end || !LLVMIsAReturnInst(end)) continue;
    LLVMPositionBuilderBefore(in->b, end);
    guard_call(in, "simt_unguard", array, bytes);
  }
}

static void guard(Ins *in, LLVMValueRef fn, LLVMValueRef local, uint64_t bytes) {
  enum { ALIGN_BYTES = 16 };
  LLVMTypeRef zone = LLVMArrayType(in->i8, SIMT_GUARD_BYTES), body = LLVMArrayType(in->i8, (unsigned)((bytes + 7) / 8 * 8));
  LLVMTypeRef whole = LLVMStructTypeInContext(in->ctx, (LLVMTypeRef[]){zone, body, zone}, 3, 0);
  unsigned align = LLVMGetAlignment(local);
  LLVMPositionBuilderBefore(in->b, local);
  LLVMSetCurrentDebugLocation2(in->b, NULL);
  LLVMValueRef room = LLVMBuildAlloca(in->b, whole, ""), at = LLVMConstInt(in->i64, SIMT_GUARD_BYTES, 0);
  LLVMSetAlignment(room, align > ALIGN_BYTES ? align : ALIGN_BYTES);
  LLVMValueRef array = LLVMBuildGEP2(in->b, in->i8, ins_as_ptr(in, room), &at, 1, "");
  LLVMReplaceAllUsesWith(local, LLVMBuildPointerCast(in->b, array, LLVMTypeOf(local), ""));
  LLVMMetadataRef sp = LLVMGetSubprogram(fn);
  if (sp) LLVMSetCurrentDebugLocation2(in->b, LLVMDIBuilderCreateDebugLocation(in->ctx, LLVMDISubprogramGetLine(sp), 0, sp, NULL));
  guard_call(in, "simt_guard", array, bytes);
  drop_at_returns(in, fn, array, bytes);
  LLVMInstructionEraseFromParent(local);
}

void ins_guards(Ins *in, LLVMValueRef fn) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn)), next; i; i = next) {
    next = LLVMGetNextInstruction(i);
    if (!LLVMIsAAllocaInst(i) || !holds_elements(LLVMGetAllocatedType(i), 0)) continue;
    uint64_t bytes = object_bytes(in, i);
    if (bytes && LLVMGetAlignment(i) <= SIMT_GUARD_BYTES && escapes(i, 0)) guard(in, fn, i, bytes);
  }
}
