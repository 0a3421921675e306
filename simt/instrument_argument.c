/* instrument_argument.c - by-value arguments of classes with a copy constructor or destructor of their own. C++ passes them by the
 * address of the caller's copy; CUDA copies their bytes into the kernel's parameters like those of any other class. So such a
 * parameter of a kernel becomes what others are already: a copy of each thread ("byval"). */
#include "instrument.h"
#include <llvm/Config/llvm-config.h>
#include <string.h>

enum { ALIGN_BYTES = 16 };

static const char mark[] = "simt-by-address";

int ins_is_by_address(LLVMValueRef kernel, unsigned param) {
  return LLVMGetStringAttributeAtIndex(kernel, param + 1, mark, sizeof mark - 1) != NULL;
}

/* The class that a variable is declared as, if it is passed by address; else NULL. */
static LLVMMetadataRef class_by_address(Ins *in, LLVMMetadataRef variable) {
  enum { TYPE = 3, DEPTH = 16 }; /* operand of DILocalVariable and DIDerivedType */
  LLVMMetadataRef t = ins_md_operand(in, variable, TYPE);
  /* Through const and typedef, which have no size of their own; a pointer to a class has one, and is passed as it is. */
  for (int i = 0; i < DEPTH && t && LLVMGetMetadataKind(t) == LLVMDIDerivedTypeMetadataKind && LLVMDITypeGetSizeInBits(t) == 0; i++)
    t = ins_md_operand(in, t, TYPE);
  if (!t || LLVMGetMetadataKind(t) != LLVMDICompositeTypeMetadataKind) return NULL;
  return (LLVMDITypeGetFlags(t) & LLVMDIFlagTypePassByReference) != 0 ? t : NULL;
}

/* The parameter that is, or is the only thing stored in, what a variable is declared to be at. */
static LLVMValueRef parameter_at(LLVMValueRef at) {
  if (LLVMIsAArgument(at)) return at;
  LLVMValueRef found = NULL;
  for (LLVMUseRef u = LLVMIsAAllocaInst(at) ? LLVMGetFirstUse(at) : NULL; u; u = LLVMGetNextUse(u)) {
    LLVMValueRef store = LLVMGetUser(u);
    if (LLVMIsAStoreInst(store) && LLVMIsAArgument(LLVMGetOperand(store, 0))) found = LLVMGetOperand(store, 0);
  }
  return found;
}

static LLVMTypeRef bytes_type(Ins *in, LLVMValueRef param, uint64_t bytes) {
#if LLVM_VERSION_MAJOR < 15
  (void)in, (void)bytes;
  return LLVMGetElementType(LLVMTypeOf(param));
#else
  (void)param;
  LLVMTypeRef word = bytes % 8 == 0 ? in->i64 : bytes % 4 == 0 ? in->i32 : in->i8;
  return LLVMArrayType(word, (unsigned)(bytes / LLVMABISizeOfType(in->data, word)));
#endif
}

static void add_number(Ins *in, LLVMValueRef fn, unsigned at, const char *name, uint64_t number) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(fn, at, LLVMCreateEnumAttribute(in->ctx, kind, number));
}

void ins_argument(Ins *in, LLVMValueRef at, LLVMMetadataRef variable) {
  LLVMMetadataRef t = class_by_address(in, variable);
  LLVMValueRef param = t ? parameter_at(at) : NULL;
  if (!param || LLVMGetTypeKind(LLVMTypeOf(param)) != LLVMPointerTypeKind) return;
  LLVMValueRef fn = LLVMGetParamParent(param);
  const char *section = LLVMGetSection(fn);
  unsigned i = 0, byval = LLVMGetEnumAttributeKindForName("byval", 5);
  while (LLVMGetParam(fn, i) != param) i++;
  if (!section || strcmp(section, "simt_global") != 0 || LLVMGetEnumAttributeAtIndex(fn, i + 1, byval)) return;
  uint64_t align = LLVMDITypeGetAlignInBits(t) / 8;
  LLVMTypeRef type = bytes_type(in, param, LLVMDITypeGetSizeInBits(t) / 8);
  LLVMAddAttributeAtIndex(fn, i + 1, LLVMCreateTypeAttribute(in->ctx, byval, type));
  add_number(in, fn, i + 1, "align", align > ALIGN_BYTES ? align : ALIGN_BYTES);
  LLVMAddAttributeAtIndex(fn, i + 1, LLVMCreateStringAttribute(in->ctx, mark, sizeof mark - 1, "", 0));
}
