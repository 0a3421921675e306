/* instrument_entry.c - what host code does by a kernel's address, and where it calls the runtime.
 *
 * A record for each kernel (section simt_kernels) leads from the stub, whose address host code has, to the kernel, and says where in the
 * packed arguments the bytes of each argument of the source go: small structs reach a function in up to two registers. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

enum { SUBPROGRAM_TYPE = 4, SUBROUTINE_TYPES = 3, BASE_TYPE = 3, REGISTER_BYTES = 8, MAX_ROWS = 512 };

/* Bytes of a parameter as the source declares it; typedefs and qualifiers have no size of their own. */
static uint64_t size_of(Ins *in, LLVMMetadataRef t) {
  for (int i = 0; t && i < 16; i++) {
    uint64_t bits = LLVMDITypeGetSizeInBits(t);
    if (bits || LLVMGetMetadataKind(t) != LLVMDIDerivedTypeMetadataKind) return bits / 8;
    t = ins_md_operand(in, t, BASE_TYPE);
  }
  return 0;
}

static LLVMMetadataRef types_of(Ins *in, LLVMValueRef body) {
  LLVMMetadataRef sp = LLVMGetSubprogram(body), type = sp ? ins_md_operand(in, sp, SUBPROGRAM_TYPE) : NULL;
  return type ? ins_md_operand(in, type, SUBROUTINE_TYPES) : NULL;
}

typedef struct Rows {
  LLVMValueRef row[MAX_ROWS]; /* SimtPiece */
  unsigned n;
} Rows;

static void add_piece(Ins *in, Rows *r, unsigned arg, uint64_t arg_off, uint64_t pack_off, uint64_t bytes) {
  LLVMValueRef f[4] = {LLVMConstInt(in->i32, arg, 0), LLVMConstInt(in->i32, arg_off, 0), LLVMConstInt(in->i32, pack_off, 0),
                       LLVMConstInt(in->i32, bytes, 0)};
  if (r->n < MAX_ROWS) r->row[r->n++] = LLVMConstStructInContext(in->ctx, f, 4, 0);
}

/* Arguments of the source, in order, over the fields of the pack. Their number; ~0: they do not fit together. */
static unsigned find_pieces(Ins *in, LLVMValueRef body, LLVMTypeRef pack, unsigned n_fields, Rows *r) {
  LLVMMetadataRef types = types_of(in, body);
  unsigned field = 0, arg = 0;
  for (unsigned n_types = types ? ins_md_count(in, types) : 1; arg + 1 < n_types; arg++) {
    uint64_t size = size_of(in, ins_md_operand(in, types, arg + 1));
    int is_empty = size == 1 && (field == n_fields || LLVMABISizeOfType(in->data, LLVMStructGetTypeAtIndex(pack, field)) != 1);
    for (uint64_t at = 0; at < size && !is_empty; at += REGISTER_BYTES) { /* an empty class is passed in nothing */
      if (field == n_fields) return ~0u;
      uint64_t room = LLVMABISizeOfType(in->data, LLVMStructGetTypeAtIndex(pack, field)), rest = size - at;
      int is_last = room >= rest;
      add_piece(in, r, arg, at, LLVMOffsetOfElement(in->data, pack, field++), is_last ? rest : REGISTER_BYTES);
      if (is_last) break;
    }
  }
  return field == n_fields && r->n < MAX_ROWS ? arg : ~0u;
}

static LLVMValueRef constant(Ins *in, LLVMValueRef init, const char *name) {
  LLVMValueRef g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), name);
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return g;
}

void ins_entry(Ins *in, LLVMValueRef stub, LLVMValueRef body, LLVMValueRef record, LLVMTypeRef pack, unsigned n_fields) {
  Rows *r = calloc(1, sizeof *r);
  if (!r) abort();
  unsigned n_args = find_pieces(in, body, pack, n_fields, r);
  LLVMValueRef pieces = LLVMConstNull(in->ptr);
  if (r->n) pieces = LLVMConstPointerCast(constant(in, LLVMConstArray(LLVMTypeOf(r->row[0]), r->row, r->n), "simt.pieces"), in->ptr);
  LLVMValueRef f[6] = {LLVMConstPointerCast(stub, in->ptr), LLVMConstPointerCast(record, in->ptr), pieces,
                       LLVMConstInt(in->i64, LLVMABISizeOfType(in->data, pack), 0), LLVMConstInt(in->i32, n_args, 0),
                       LLVMConstInt(in->i32, r->n, 0)};
  LLVMValueRef g = constant(in, LLVMConstStructInContext(in->ctx, f, 6, 0), "simt.entry");
  LLVMSetSection(g, "simt_kernels");
  LLVMSetAlignment(g, 8);
  ins_keep(in, g);
  free(r);
}

/* ---- calls of the runtime: the engine is told where, so that they can be plain C functions ---- */

static int is_runtime(const char *name, size_t len) {
  return ins_starts_with(name, len, "simt_cuda") || ins_starts_with(name, len, "simt_cublas");
}

static int is_announced(const char *name, size_t len) {
  return is_runtime(name, len) || ins_starts_with(name, len, "simt_op_exit") || ins_starts_with(name, len, "simt_configure_launch");
}

/* "d_x" of cudaMalloc(&d_x, ...), or "d_x[]" of an element; NULL: it is not a variable of its own. */
static LLVMValueRef first_variable(Ins *in, LLVMValueRef call, const char *callee, size_t callee_len) {
  enum { MAX_NAME = 60 };
  int is_element = 0;
  size_t len = 0;
  const char *name = "";
  char text[MAX_NAME + 4];
  if (!ins_starts_with(callee, callee_len, "simt_cudaMalloc") && !ins_starts_with(callee, callee_len, "simt_cudaHostAlloc")) return NULL;
  LLVMValueRef p = LLVMGetOperand(call, 0);
  for (;; p = LLVMGetOperand(p, 0)) {
    int is_step = LLVMIsAGetElementPtrInst(p) || (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr);
    if (is_step) is_element = 1;
    else if (!LLVMIsABitCastInst(p) && !LLVMIsAConstantExpr(p)) break;
  }
  LLVMTypeRef t = LLVMIsAAllocaInst(p) ? LLVMGetAllocatedType(p) : LLVMIsAGlobalVariable(p) ? LLVMGlobalGetValueType(p) : NULL;
  if (!t || (is_element && LLVMGetTypeKind(t) != LLVMArrayTypeKind)) return NULL;
  name = LLVMIsAAllocaInst(p) ? ins_local_name(in, p, &len) : ins_source_name(in, p, &len);
  if (!len || len > MAX_NAME) return NULL;
  memcpy(text, name, len);
  memcpy(text + len, is_element ? "[]" : "", is_element ? 2 : 0);
  return ins_string(in, text, len + (is_element ? 2 : 0));
}

/* In front of a call, which has its place. */
static void announce(Ins *in, LLVMValueRef call, const char *name, size_t len) {
  static const char prefix[] = "simt_";
  const size_t skipped = sizeof prefix - 1;
  LLVMValueRef variable = first_variable(in, call, name, len), null = LLVMConstNull(in->ptr);
  LLVMValueRef a[3] = {LLVMConstPointerCast(ins_site(in, call, 1, 0, 0), in->ptr), variable ? variable : null, null};
  if (is_runtime(name, len)) a[2] = ins_string(in, name + skipped, len - skipped);
  ins_before(in, call);
  ins_call(in, is_runtime(name, len) ? "simt_host_call" : "simt_host_place", LLVMVoidTypeInContext(in->ctx), a, is_runtime(name, len) ? 3 : 2);
}

void ins_host_places(Ins *in, LLVMValueRef fn) {
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(fn); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) continue;
      size_t len;
      const char *name = ins_callee_name(i, &len);
      if (name[0] == 1) name++, len--; /* a name as it is, without a prefix */
      if (is_announced(name, len) && LLVMInstructionGetDebugLoc(i)) announce(in, i, name, len);
    }
}
