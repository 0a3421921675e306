/* instrument_align.c - how far an access must be aligned that goes through a cast of a named array's address.
 *
 * Of `*reinterpret_cast<float4 *>(&tile[k][r])` the front end says "aligned to 4": it knows the declaration of tile. nvcc makes one access
 * of 16 bytes of it, as of every float4, which a device refuses at any other address. What the source reads or writes is in the
 * notes for alias analysis (!tbaa, in the form that names classes; -fstrict-aliasing is on for step 2 of simt-cc for their sake, and they are
 * dropped before anything is optimised), how a class is declared in the debug information. What `memcpy` copies and what lies in a
 * union has no such note, and a member of a packed struct is no cast. */
#include "instrument_chain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_BYTES = 16, DEPTH = 32 }; /* of one access of a device */

/* ---- what the notes say ---- */

static unsigned note_kind(Ins *in) { return LLVMGetMDKindIDInContext(in->ctx, "tbaa", 4); }

/* Operands of a node of any length: to be freed. */
static LLVMValueRef *operands_of(Ins *in, LLVMMetadataRef md, unsigned *n) {
  LLVMValueRef node = LLVMMetadataAsValue(in->ctx, md);
  *n = LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *op = calloc(*n + 1, sizeof *op);
  if (!op) abort();
  LLVMGetMDNodeOperands(node, op);
  return op;
}

static uint64_t number_at(Ins *in, LLVMMetadataRef node, unsigned i) {
  unsigned n;
  LLVMValueRef *op = operands_of(in, node, &n), v = i < n ? op[i] : NULL;
  free(op);
  return v && LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
}

/* The type of an access of `bytes` bytes: {parent, bytes, name, members ...}. NULL: no note, or of a type that may be anything. */
static LLVMMetadataRef accessed_type(Ins *in, LLVMValueRef inst, uint64_t bytes) {
  enum { TYPE = 1, BYTES = 1, NAME = 2 };
  LLVMValueRef tag = LLVMGetMetadata(inst, note_kind(in));
  LLVMMetadataRef type = tag ? ins_md_operand(in, LLVMValueAsMetadata(tag), TYPE) : NULL;
  if (!type || ins_md_count(in, type) <= NAME || number_at(in, type, BYTES) != bytes) return NULL;
  size_t len;
  const char *name = ins_md_string(in, ins_md_operand(in, type, NAME), &len);
  return len && strncmp(name, "omnipotent char", len) != 0 ? type : NULL;
}

/* ---- how classes are declared ---- */

enum { DI_NAME = 2, DI_BASE = 3, DI_IDENTIFIER = 7 }; /* operands of types */

static void note_class(Ins *in, LLVMMetadataRef type) {
  uint64_t aligned = 0; /* bits, by a typedef */
  for (int i = 0; i < DEPTH && type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind; i++) {
    aligned = LLVMDITypeGetAlignInBits(type) ? LLVMDITypeGetAlignInBits(type) : aligned;
    type = ins_md_operand(in, type, DI_BASE);
  }
  if (type && LLVMGetMetadataKind(type) == LLVMDIBasicTypeMetadataKind && aligned && aligned < LLVMDITypeGetSizeInBits(type))
    in->loose_bytes |= LLVMDITypeGetSizeInBits(type) / 8;
  if (!type || LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind) return;
  for (size_t i = 0; i < in->n_classes; i++)
    if (in->classes[i] == type) return;
  in->classes = ins_grow(in->classes, in->n_classes, sizeof *in->classes);
  in->classes[in->n_classes++] = type;
}

/* The types of all explicit casts are listed with each file compiled. */
static void find_classes(Ins *in) {
  enum { RETAINED = 5 };
  unsigned n_files = LLVMGetNamedMetadataNumOperands(in->mod, "llvm.dbg.cu"), n;
  LLVMValueRef *file = calloc(n_files + 1, sizeof(LLVMValueRef));
  if (!file) abort();
  LLVMGetNamedMetadataOperands(in->mod, "llvm.dbg.cu", file);
  for (unsigned i = 0; i < n_files; i++) {
    LLVMMetadataRef list = ins_md_operand(in, LLVMValueAsMetadata(file[i]), RETAINED);
    if (!list) continue;
    LLVMValueRef *type = operands_of(in, list, &n);
    for (unsigned k = 0; k < n; k++)
      if (type[k]) note_class(in, LLVMValueAsMetadata(type[k]));
    free(type);
  }
  free(file);
  in->has_classes = 1;
}

/* Does a mangled name without an identifier of its own (anonymous namespaces) hold the name of the class, templates' arguments aside? */
static int is_name_in(const char *mangled, size_t len, const char *name, size_t name_len) {
  char text[264];
  size_t base = 0;
  while (base < name_len && name[base] != '<') base++;
  if (!base || base > 200 || len > 4096) return 0;
  size_t n = (size_t)snprintf(text, sizeof text, "%zu%.*s", base, (int)base, name);
  for (size_t i = 0; i + n <= len; i++)
    if (!memcmp(mangled + i, text, n)) return 1;
  return 0;
}

static int is_class(Ins *in, LLVMMetadataRef type, const char *mangled, size_t len) {
  size_t n;
  const char *s = ins_md_string(in, ins_md_operand(in, type, DI_IDENTIFIER), &n);
  if (n) return n == len && !memcmp(s, mangled, n);
  s = ins_md_string(in, ins_md_operand(in, type, DI_NAME), &n);
  return is_name_in(mangled, len, s, n);
}

/* Puts the name of a class, with those of the namespaces and classes around it, at the end of text[size]; NULL: too long. */
static char *whole_name(Ins *in, LLVMMetadataRef type, char *text, size_t size) {
  enum { SCOPE = 1 };
  char *at = text + size - 1;
  *at = 0;
  for (int i = 0; i < DEPTH && type; i++) {
    size_t n;
    const char *name = ins_md_string(in, ins_md_operand(in, type, DI_NAME), &n);
    LLVMMetadataKind kind = LLVMGetMetadataKind(type);
    if (kind != LLVMDICompositeTypeMetadataKind && kind != LLVMDINamespaceMetadataKind) break;
    if ((size_t)(at - text) < n + 2) return NULL;
    if (i) at -= 2, memcpy(at, "::", 2);
    memcpy(at -= n, name, n);
    type = ins_md_operand(in, type, SCOPE);
  }
  return at;
}

/* What scalars in a class without an alignment of its own want; 1: packed, or not known. */
static uint64_t natural_alignment(Ins *in, LLVMMetadataRef type, uint64_t bytes) {
  static const char *const kind[] = {"struct", "class"};
  char text[256], whole[272];
  const char *name = whole_name(in, type, text, sizeof text);
  for (int i = 0; i < 2 && name; i++) {
    snprintf(whole, sizeof whole, "%s.%s", kind[i], name);
    LLVMTypeRef t = LLVMGetTypeByName2(in->ctx, whole);
    if (t && !LLVMIsOpaqueStruct(t) && LLVMABISizeOfType(in->data, t) == bytes) return LLVMABIAlignmentOfType(in->data, t);
  }
  return 1;
}

/* Of the class that a note names; the least, if it may be several. */
static uint64_t class_alignment(Ins *in, LLVMMetadataRef note, uint64_t bytes) {
  enum { NAME = 2 };
  size_t len;
  const char *mangled = ins_md_string(in, ins_md_operand(in, note, NAME), &len);
  uint64_t least = 0;
  if (!in->has_classes) find_classes(in);
  for (size_t i = 0; i < in->n_classes; i++) {
    LLVMMetadataRef type = in->classes[i];
    if (LLVMDITypeGetSizeInBits(type) != 8 * bytes || !is_class(in, type, mangled, len)) continue;
    uint64_t own = LLVMDITypeGetAlignInBits(type) / 8;
    if (!own) own = natural_alignment(in, type, bytes);
    if (!least || own < least) least = own;
  }
  return least ? least : 1;
}

/* ---- is it a cast? ---- */

typedef enum Form { SCALAR, CLASS, ARRAY } Form;
typedef struct Thing {
  Form form;
  uint64_t bytes;
} Thing;

static Form form_of(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMStructTypeKind ? CLASS : k == LLVMArrayTypeKind || k == LLVMVectorTypeKind ? ARRAY : SCALAR;
}

static int is_thing(Ins *in, LLVMTypeRef t, Thing want) {
  return form_of(t) == want.form && LLVMTypeIsSized(t) && LLVMABISizeOfType(in->data, t) == want.bytes;
}

typedef enum Answer { NO, YES, UNKNOWN } Answer;

/* Has an object of type t such a thing at a byte of it? UNKNOWN: it is packed, and so may be less aligned than its parts want. */
static Answer holds(Ins *in, LLVMTypeRef t, uint64_t at, Thing want) {
  for (;;) {
    if (!at && is_thing(in, t, want)) return YES;
    if (!LLVMTypeIsSized(t)) return UNKNOWN;
    switch (form_of(t)) {
    case SCALAR: return NO;
    case ARRAY:
      t = LLVMGetElementType(t);
      if (LLVMTypeIsSized(t) && LLVMABISizeOfType(in->data, t)) at %= LLVMABISizeOfType(in->data, t);
      break;
    case CLASS:
      if (LLVMIsPackedStruct(t) || !LLVMCountStructElementTypes(t) || at >= LLVMABISizeOfType(in->data, t)) return UNKNOWN;
      unsigned i = LLVMElementAtOffset(in->data, t, at);
      at -= LLVMOffsetOfElement(in->data, t, i);
      t = LLVMStructGetTypeAtIndex(t, i);
      break;
    }
  }
}

/* Instructions and constants alike. */
static int is_op(LLVMValueRef v, LLVMOpcode op) {
  return LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) == op : LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == op;
}

static LLVMValueRef without_casts(LLVMValueRef p) {
  while (is_op(p, LLVMBitCast) || is_op(p, LLVMAddrSpaceCast)) p = LLVMGetOperand(p, 0);
  return p;
}

/* The type that a GEP leads to. NULL: by way of a packed struct. */
static LLVMTypeRef selected(LLVMValueRef gep) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef k = LLVMGetOperand(gep, (unsigned)i);
    if (form_of(t) == CLASS) {
      if (LLVMIsPackedStruct(t)) return NULL;
      t = LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(k));
    } else
      t = LLVMGetElementType(t);
  }
  return t;
}

static LLVMTypeRef variable_type(LLVMValueRef p) {
  return LLVMIsAAllocaInst(p) ? LLVMGetAllocatedType(p) : LLVMIsAGlobalVariable(p) ? LLVMGlobalGetValueType(p) : NULL;
}

/* A distance in bytes, from the step to a base class or by the compiler's own arithmetic. */
static int is_distance(LLVMValueRef gep) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  return LLVMGetNumOperands(gep) == 2 && LLVMIsAConstantInt(LLVMGetOperand(gep, 1)) && LLVMGetTypeKind(t) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(t) == 8;
}

static Answer at_distance(Ins *in, LLVMValueRef gep, Thing want) {
  LLVMTypeRef t = variable_type(without_casts(LLVMGetOperand(gep, 0)));
  return t ? holds(in, t, LLVMConstIntGetZExtValue(LLVMGetOperand(gep, 1)), want) : UNKNOWN;
}

/* Is what lies at p, as it was declared, something else than what is accessed there? Followed down to a variable; a pointer from elsewhere has
 * the alignment of its own type, which the front end has told. */
static int is_cast(Ins *in, LLVMValueRef p, Thing want) {
  for (int i = 0; i < DEPTH; i++) {
    p = without_casts(p);
    LLVMTypeRef t = variable_type(p);
    if (t) return holds(in, t, 0, want) == NO;
    if (!is_op(p, LLVMGetElementPtr)) return 0;
    if (is_distance(p)) return at_distance(in, p, want) == NO;
    t = selected(p);
    Answer a = t ? holds(in, t, 0, want) : UNKNOWN;
    if (a != YES) return a == NO;
    t = LLVMGetGEPSourceElementType(p);
    want = (Thing){form_of(t), LLVMTypeIsSized(t) ? LLVMABISizeOfType(in->data, t) : 0};
    p = LLVMGetOperand(p, 0);
  }
  return 0;
}

uint64_t ins_alignment(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMTypeRef scalar, uint64_t bytes) {
  if (bytes < 2 || (scalar && (form_of(scalar) != SCALAR || bytes > 8))) return 1;
  LLVMMetadataRef type = accessed_type(in, inst, bytes);
  if (!type) return 1;
  uint64_t align = scalar ? LLVMABIAlignmentOfType(in->data, scalar) : class_alignment(in, type, bytes);
  if (scalar && !in->has_classes) find_classes(in);
  if (align < 2 || (scalar && in->loose_bytes & bytes)) return 1;
  return is_cast(in, p, (Thing){scalar ? SCALAR : CLASS, bytes}) ? align : 1;
}

void ins_forget_types(Ins *in) {
  unsigned kind[2] = {note_kind(in), LLVMGetMDKindIDInContext(in->ctx, "tbaa.struct", 11)};
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f); bb; bb = LLVMGetNextBasicBlock(bb))
      for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
        for (int k = 0; k < 2; k++)
          if (LLVMHasMetadata(i) && LLVMGetMetadata(i, kind[k])) LLVMSetMetadata(i, kind[k], NULL);
}

/* ---- places in local variables ---- */

static uint64_t lowest_bit(uint64_t v) { return v ? v & -v : 1ull << 12; }
static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* A power of two that divides v; for a phi that leads back to `loop`, whatever comes round. */
static uint64_t divisor(LLVMValueRef v, LLVMValueRef loop, int depth) {
  if (LLVMIsAConstantInt(v)) return lowest_bit(LLVMConstIntGetZExtValue(v));
  if (v == loop) return lowest_bit(0);
  if (depth > 8 || !LLVMIsAInstruction(v)) return 1;
  LLVMValueRef call = chain_checked_call(v), from = call ? call : v;
  LLVMOpcode op = call ? LLVMCall : LLVMGetInstructionOpcode(v);
  if (op == LLVMSExt || op == LLVMZExt) return divisor(LLVMGetOperand(v, 0), loop, depth + 1);
  if (op == LLVMPHI) {
    uint64_t d = lowest_bit(0);
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++) d = least(d, divisor(LLVMGetIncomingValue(v, i), loop ? loop : v, depth + 1));
    return d;
  }
  if (!call && op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl) return 1;
  LLVMValueRef right = LLVMGetOperand(from, 1);
  uint64_t a = divisor(LLVMGetOperand(from, 0), loop, depth + 1);
  if (op == LLVMShl) return LLVMIsAConstantInt(right) ? a << (LLVMConstIntGetZExtValue(right) & 15) : a;
  uint64_t b = divisor(right, loop, depth + 1);
  return op == LLVMMul || (call && chain_checked_op(v) == MUL) ? least(a * b, lowest_bit(0)) : least(a, b);
}

static uint64_t gep_divisor(Ins *in, LLVMValueRef gep) {
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  uint64_t d = lowest_bit(0);
  for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
    LLVMValueRef k = LLVMGetOperand(gep, (unsigned)i);
    if (i > 1 && form_of(t) == CLASS) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(k);
      d = least(d, lowest_bit(LLVMOffsetOfElement(in->data, t, field)));
      t = LLVMStructGetTypeAtIndex(t, field);
      continue;
    }
    if (i > 1) t = LLVMGetElementType(t);
    d = least(d, least(divisor(k, NULL, 0) * lowest_bit(LLVMABISizeOfType(in->data, t)), lowest_bit(0)));
  }
  return d;
}

int ins_align_local(Ins *in, LLVMValueRef inst, LLVMValueRef p, LLVMValueRef checked, uint64_t align, int writes) {
  uint64_t known = lowest_bit(0);
  LLVMValueRef root = without_casts(p);
  if (align > LONGEST_BYTES) align = LONGEST_BYTES;
  for (; is_op(root, LLVMGetElementPtr); root = without_casts(LLVMGetOperand(root, 0))) known = least(known, gep_divisor(in, root));
  if (known >= align) return 0;
  ins_before(in, inst);
  LLVMValueRef site = ins_site(in, inst, 1, 0, 0);
  if (ins_object_type(root)) ins_local_site(in, root, 0, ins_object_type(root), site);
  LLVMValueRef args[5] = {ins_as_ptr(in, checked), ins_as_ptr(in, root), LLVMConstInt(in->i32, align, 0),
                          LLVMConstInt(in->i32, (unsigned)writes, 0), site};
  ins_call(in, "simt_local_place", LLVMVoidTypeInContext(in->ctx), args, 5);
  return 1;
}
