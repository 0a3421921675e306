/* instrument_layout.c - which bits of a local variable belong to a member, and which are padding: from the debug information. Of an object that is
 * copied, which bytes: from the notes for alias analysis. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

enum { DI_NAME = 2, DI_TYPE = 3, DI_ELEMENTS = 4, DEPTH = 16, MAX_ELEMENTS = 64 }; /* operands of types; as many as ins_md_operand() sees */

typedef struct Bits {
  Ins *in;
  uint8_t *map; /* a bit for each bit of the variable, the lowest one first */
  uint64_t n;   /* bits */
} Bits;

static int set_bits(const Bits *b, uint64_t from, uint64_t n) {
  if (from > b->n || n > b->n - from) return -1;
  for (uint64_t i = from; i < from + n; i++) b->map[i / 8] |= (uint8_t)(1u << i % 8);
  return 0;
}

/* Through const and typedef, which have no size of their own. */
static LLVMMetadataRef plain_type(Ins *in, LLVMMetadataRef t) {
  for (int i = 0; i < DEPTH && t && LLVMGetMetadataKind(t) == LLVMDIDerivedTypeMetadataKind && LLVMDITypeGetSizeInBits(t) == 0; i++)
    t = ins_md_operand(in, t, DI_TYPE);
  return t;
}

static int add_type(const Bits *b, LLVMMetadataRef t, uint64_t from, int depth);

/* A member, or a base class, which has no size and no name there. What else is listed (static members, types, friends) holds nothing. */
static int add_element(const Bits *b, LLVMMetadataRef m, uint64_t from, int depth) {
  const uint64_t bits = LLVMDITypeGetSizeInBits(m), at = from + LLVMDITypeGetOffsetInBits(m);
  const LLVMDIFlags flags = LLVMDITypeGetFlags(m);
  size_t len;
  ins_md_string(b->in, ins_md_operand(b->in, m, DI_NAME), &len);
  if (flags & LLVMDIFlagStaticMember || (!bits && len)) return 0;
  if (flags & LLVMDIFlagVirtual) return -1;
  if (flags & LLVMDIFlagBitField) return set_bits(b, at, bits);
  return add_type(b, ins_md_operand(b->in, m, DI_TYPE), at, depth + 1);
}

static int add_array(const Bits *b, LLVMMetadataRef t, uint64_t from, int depth) {
  LLVMMetadataRef element = plain_type(b->in, ins_md_operand(b->in, t, DI_TYPE));
  const uint64_t bits = element ? LLVMDITypeGetSizeInBits(element) : 0;
  if (!bits) return -1;
  for (uint64_t k = 0; k < LLVMDITypeGetSizeInBits(t) / bits; k++)
    if (add_type(b, element, from + k * bits, depth + 1)) return -1;
  return 0;
}

static int add_composite(const Bits *b, LLVMMetadataRef t, uint64_t from, int depth) {
  LLVMMetadataRef list = ins_md_operand(b->in, t, DI_ELEMENTS);
  const unsigned n = list ? ins_md_count(b->in, list) : 0;
  if (n > MAX_ELEMENTS) return -1;
  for (unsigned i = 0; i < n; i++) {
    LLVMMetadataRef e = ins_md_operand(b->in, list, i);
    LLVMMetadataKind kind = e ? LLVMGetMetadataKind(e) : LLVMDISubprogramMetadataKind;
    if (kind == LLVMDISubrangeMetadataKind) return add_array(b, t, from, depth);
    if (kind == LLVMDIEnumeratorMetadataKind) return set_bits(b, from, LLVMDITypeGetSizeInBits(t));
    if (kind == LLVMDIDerivedTypeMetadataKind && add_element(b, e, from, depth)) return -1;
  }
  return 0;
}

static int add_type(const Bits *b, LLVMMetadataRef type, uint64_t from, int depth) {
  LLVMMetadataRef t = plain_type(b->in, type);
  if (!t || depth > DEPTH || !LLVMDITypeGetSizeInBits(t)) return -1;
  if (LLVMGetMetadataKind(t) == LLVMDICompositeTypeMetadataKind) return add_composite(b, t, from, depth);
  return set_bits(b, from, LLVMDITypeGetSizeInBits(t));
}

int ins_member_bits(Ins *in, LLVMValueRef local, uint8_t *map, uint64_t bytes) {
  const Bits b = {in, map, 8 * bytes};
  memset(map, 0, bytes);
  for (size_t i = 0; i < in->n_locals; i++)
    if (in->locals[i].at == local) return add_type(&b, ins_md_operand(in, in->locals[i].variable, DI_TYPE), 0, 0);
  return -1;
}

/* ---- copies ---- */

/* The bytes of the members that !tbaa.struct lists. -1: there is no such note. */
static int mark_members(Ins *in, LLVMValueRef copy, uint8_t *is_member, uint64_t bytes) {
  LLVMValueRef note = LLVMGetMetadata(copy, LLVMGetMDKindIDInContext(in->ctx, "tbaa.struct", 11));
  const unsigned n = note ? LLVMGetMDNodeNumOperands(note) : 0;
  LLVMValueRef *op = calloc(n + 1, sizeof *op);
  if (!op) abort();
  if (n) LLVMGetMDNodeOperands(note, op);
  int is_good = n >= 3;
  for (unsigned i = 0; i + 2 < n; i += 3) {
    const uint64_t at = LLVMIsAConstantInt(op[i]) ? LLVMConstIntGetZExtValue(op[i]) : bytes;
    const uint64_t size = LLVMIsAConstantInt(op[i + 1]) ? LLVMConstIntGetZExtValue(op[i + 1]) : bytes;
    if (at >= bytes) is_good = 0;
    else memset(is_member + at, 1, size < bytes - at ? size : bytes - at);
  }
  free(op);
  return is_good ? 0 : -1;
}

static LLVMValueRef make_holes(Ins *in, const uint8_t *is_member, uint64_t bytes) {
  LLVMValueRef *field = NULL;
  size_t n = 0;
  for (uint64_t i = 0; i <= bytes; i++) {
    const int is_hole = i < bytes && !is_member[i], was_hole = i > 0 && !is_member[i - 1];
    if (is_hole == was_hole) continue;
    field = ins_grow(field, n, sizeof *field);
    field[n++] = LLVMConstInt(in->i32, i, 0);
  }
  if (!n) return NULL;
  LLVMValueRef part[2] = {LLVMConstInt(in->i32, n / 2, 0), LLVMConstArray(in->i32, field, (unsigned)n)};
  LLVMValueRef init = LLVMConstStructInContext(in->ctx, part, 2, 0), g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.holes");
  free(field);
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  return LLVMConstPointerCast(g, in->ptr);
}

LLVMValueRef ins_holes(Ins *in, LLVMValueRef copy, uint64_t bytes) {
  enum { MOST_BYTES = 1024 };
  uint8_t is_member[MOST_BYTES] = {0};
  if (bytes > MOST_BYTES || mark_members(in, copy, is_member, bytes)) return NULL;
  return make_holes(in, is_member, bytes);
}
