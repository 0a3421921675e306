/* instrument_names.c - what reports call arrays and variables: names, sizes of elements, dimensions. Names of locals come from
 * the debug information. */
#include "instrument.h"
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <string.h>

/* LLVM 19 keeps declarations of variables beside the instructions, where its C interface does not see them. */
static void as_intrinsics(Ins *in, int yes) {
#if LLVM_VERSION_MAJOR == 19
  LLVMSetIsNewDbgInfoFormat(in->mod, !yes);
#else
  (void)in, (void)yes;
#endif
}

/* Is it llvm.dbg.declare(alloca, variable, ...)? */
static int is_declare(LLVMValueRef i) {
  size_t n;
  static const char name[] = "llvm.dbg.declare";
  LLVMValueRef f = LLVMIsADbgInfoIntrinsic(i) ? LLVMGetCalledValue(i) : NULL;
  const char *called = f ? LLVMGetValueName2(f, &n) : NULL;
  return called && n == sizeof name - 1 && memcmp(called, name, n) == 0;
}

static void note_local(Ins *in, LLVMValueRef at, LLVMMetadataRef variable) {
  if (!LLVMIsAAllocaInst(at) && !LLVMIsAArgument(at)) return;
  in->locals = ins_grow(in->locals, in->n_locals, sizeof *in->locals);
  in->locals[in->n_locals++] = (LocalName){at, variable};
}

static void declared(Ins *in, LLVMValueRef declare, void (*on_declare)(Ins *in, LLVMValueRef at, LLVMMetadataRef variable)) {
  LLVMValueRef address = LLVMGetOperand(declare, 0), at = NULL;
  if (LLVMGetMDNodeNumOperands(address) == 1) LLVMGetMDNodeOperands(address, &at);
  if (at) on_declare(in, at, LLVMValueAsMetadata(LLVMGetOperand(declare, 1)));
}

static void each_declare(Ins *in, void (*on_declare)(Ins *in, LLVMValueRef at, LLVMMetadataRef variable)) {
  as_intrinsics(in, 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
      for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
        if (is_declare(i)) declared(in, i, on_declare);
  as_intrinsics(in, 0);
}

void ins_arguments(Ins *in) { each_declare(in, ins_argument); }

void ins_var_init(Ins *in) {
  in->var_type = LLVMStructCreateNamed(in->ctx, "simt.var");
  LLVMStructSetBody(in->var_type, (LLVMTypeRef[]){in->ptr, in->i64, in->i64, in->i32, LLVMArrayType(in->i32, 2)}, 5, 0);
  each_declare(in, note_local);
}

static int is_array(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMArrayTypeKind; }

LLVMValueRef ins_var(Ins *in, const char *name, size_t len, uint64_t offset_bytes, LLVMTypeRef t) {
  enum { MAX_DIMS = 3 }; /* of more, the place is told by one number */
  uint64_t size = LLVMABISizeOfType(in->data, t), elem = 0;
  uint32_t dim[MAX_DIMS] = {0};
  unsigned n = 0;
  for (; is_array(t); t = LLVMGetElementType(t), n++)
    if (n < MAX_DIMS) dim[n] = (uint32_t)LLVMGetArrayLength(t);
  if (n) elem = LLVMABISizeOfType(in->data, t);
  LLVMValueRef inner[2];
  for (unsigned k = 0; k < 2; k++) inner[k] = LLVMConstInt(in->i32, n <= MAX_DIMS ? dim[k + 1] : 0, 0);
  LLVMValueRef f[5] = {len ? ins_string(in, name, len) : LLVMConstNull(in->ptr), LLVMConstInt(in->i64, offset_bytes, 0),
                       LLVMConstInt(in->i64, size, 0), LLVMConstInt(in->i32, elem, 0), LLVMConstArray(in->i32, inner, 2)};
  return LLVMConstNamedStruct(in->var_type, f, 5);
}

static const LocalName *local_at(const Ins *in, LLVMValueRef at) {
  for (size_t i = 0; i < in->n_locals; i++)
    if (in->locals[i].at == at) return &in->locals[i];
  return NULL; /* a temporary of the compiler */
}

const char *ins_local_name(Ins *in, LLVMValueRef at, size_t *len) {
  const LocalName *l = local_at(in, at);
  *len = 0;
  return l ? ins_md_string(in, ins_md_operand(in, l->variable, 1), len) : ""; /* of a DILocalVariable */
}

/* ---- members ---- */

enum { DI_NAME = 2, DI_TYPE = 3, DI_ELEMENTS = 4, DEPTH = 16 }; /* operands of DILocalVariable, DIDerivedType, DICompositeType */

/* Through const and typedef, which have no size of their own. */
static LLVMMetadataRef plain_type(Ins *in, LLVMMetadataRef t) {
  for (int i = 0; i < DEPTH && t && LLVMGetMetadataKind(t) == LLVMDIDerivedTypeMetadataKind && LLVMDITypeGetSizeInBits(t) == 0; i++)
    t = ins_md_operand(in, t, DI_TYPE);
  return t;
}

/* The member of class t that holds byte *off; *off becomes the byte in it. */
static LLVMMetadataRef member_at(Ins *in, LLVMMetadataRef t, uint64_t *off) {
  LLVMMetadataRef list = ins_md_operand(in, t, DI_ELEMENTS);
  unsigned n = list ? ins_md_count(in, list) : 0;
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef m = ins_md_operand(in, list, i);
    if (!m || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind) continue;
    uint64_t begin = LLVMDITypeGetOffsetInBits(m) / 8;
    if (*off < begin || *off - begin >= LLVMDITypeGetSizeInBits(m) / 8) continue;
    *off -= begin;
    return m;
  }
  return NULL;
}

/* "argument c.w": the variable at `at`, and the members that begin at byte `off` of it and are of `bytes` bytes or more. 0: not known. */
static size_t whole_name(Ins *in, LLVMValueRef at, uint64_t off, uint64_t bytes, char *text, size_t size) {
  const LocalName *l = local_at(in, at);
  size_t len = 0;
  const char *name = l ? ins_md_string(in, ins_md_operand(in, l->variable, 1), &len) : "";
  if (!len || len > 80) return 0;
  size_t n = (size_t)snprintf(text, size, "%s%.*s", LLVMIsAArgument(at) ? "argument " : "", (int)len, name);
  LLVMMetadataRef t = plain_type(in, ins_md_operand(in, l->variable, DI_TYPE));
  for (int i = 0; i < DEPTH && t && LLVMGetMetadataKind(t) == LLVMDICompositeTypeMetadataKind; i++) {
    if (LLVMDITypeGetSizeInBits(t) / 8 <= bytes && !off) break;
    LLVMMetadataRef m = member_at(in, t, &off);
    name = m ? ins_md_string(in, ins_md_operand(in, m, DI_NAME), &len) : "";
    if (!m || n + len + 2 > size) break;
    if (len && !ins_starts_with(name, len, "_vptr")) n += (size_t)snprintf(text + n, size - n, ".%.*s", (int)len, name);
    t = plain_type(in, ins_md_operand(in, m, DI_TYPE));
  }
  return n;
}

void ins_local_site(Ins *in, LLVMValueRef at, uint64_t off, LLVMTypeRef type, LLVMValueRef site) {
  char name[160];
  size_t len = whole_name(in, at, off, LLVMABISizeOfType(in->data, type), name, sizeof name);
  if (!len) return;
  LLVMValueRef f[2] = {site, ins_var(in, name, len, 0, type)};
  LLVMValueRef init = LLVMConstStructInContext(in->ctx, f, 2, 0);
  LLVMValueRef g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.local");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetSection(g, "simt_locals");
  LLVMSetAlignment(g, 8);
  ins_keep(in, g);
}
