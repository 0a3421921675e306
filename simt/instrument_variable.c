/* instrument_variable.c - __device__ and __constant__ variables: user code takes their address from the engine, which gives
 * each run its own copy. What the front end made stays as the image that a run starts from, and is what host code sees. */
#include "instrument.h"
#include <string.h>

/* Reached through instructions alone: addresses in initialisers of other variables would not follow. */
static int only_code_refers(LLVMValueRef c) {
  for (LLVMUseRef u = LLVMGetFirstUse(c); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAInstruction(user)) continue;
    if (!LLVMIsAConstantExpr(user) || !only_code_refers(user)) return 0;
  }
  return 1;
}

/* Sections are ours: shared memory, managed memory, sites. An object over the largest alignment is left alone. */
static int is_movable(LLVMValueRef g) {
  enum { ALIGN_BYTES = 256 };
  size_t n;
  const char *section = LLVMGetSection(g), *name = LLVMGetValueName2(g, &n);
  if (LLVMIsGlobalConstant(g) || !LLVMGetInitializer(g) || LLVMIsThreadLocal(g) || (section && *section)) return 0;
  if (ins_starts_with(name, n, "simt.") || ins_starts_with(name, n, "llvm.") || ins_starts_with(name, n, "_ZGV")) return 0;
  return LLVMGetAlignment(g) <= ALIGN_BYTES && only_code_refers(g);
}

/* Decided beforehand, as records refer to variables too; noted in the section, which they do not have otherwise. */
static const char mark[] = "simt_variable";

static int is_variable(LLVMValueRef g) {
  const char *section = LLVMGetSection(g);
  return section && !strcmp(section, mark);
}

typedef struct Known { /* records made, and their addresses in the function that is rewritten */
  LLVMValueRef *var, *record, *address;
  unsigned n;
  LLVMValueRef fn;
} Known;

static LLVMValueRef make_record(Ins *in, LLVMValueRef g) {
  size_t len;
  const char *name = ins_source_name(in, g, &len);
  LLVMValueRef f[4] = {ins_string(in, name, len), LLVMConstPointerCast(g, in->ptr),
                       LLVMConstInt(in->i64, LLVMABISizeOfType(in->data, LLVMGlobalGetValueType(g)), 0),
                       LLVMConstInt(in->i64, (unsigned)LLVMIsNull(LLVMGetInitializer(g)), 0)};
  LLVMValueRef init = LLVMConstStructInContext(in->ctx, f, 4, 0), r = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.variable");
  LLVMSetInitializer(r, init);
  LLVMSetGlobalConstant(r, 1);
  LLVMSetLinkage(r, LLVMInternalLinkage);
  return r;
}

static unsigned number_of(Ins *in, Known *k, LLVMValueRef g) {
  unsigned i = 0;
  while (i < k->n && k->var[i] != g) i++;
  if (i < k->n) return i;
  k->var = ins_grow(k->var, k->n, sizeof *k->var);
  k->record = ins_grow(k->record, k->n, sizeof *k->record);
  k->address = ins_grow(k->address, k->n, sizeof *k->address);
  k->var[i] = g;
  k->address[i] = NULL;
  k->record[i] = make_record(in, g);
  k->n++;
  return i;
}

/* The address, asked for once at the start of the function. */
static LLVMValueRef address_of(Ins *in, InsRoot *root, LLVMValueRef g) {
  Known *k = root->state;
  unsigned i = number_of(in, k, g);
  if (!k->address[i]) {
    LLVMBuilderRef keep = in->b;
    LLVMMetadataRef sp = LLVMGetSubprogram(k->fn);
    in->b = LLVMCreateBuilderInContext(in->ctx);
    LLVMPositionBuilderBefore(in->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(k->fn)));
    if (sp)
      LLVMSetCurrentDebugLocation2(in->b, LLVMDIBuilderCreateDebugLocation(in->ctx, LLVMDISubprogramGetLine(sp), 0, sp, NULL));
    LLVMValueRef record = LLVMConstPointerCast(k->record[i], in->ptr);
    k->address[i] = ins_call(in, "simt_variable", in->ptr, &record, 1);
    LLVMDisposeBuilder(in->b);
    in->b = keep;
  }
  return LLVMBuildPointerCast(in->b, k->address[i], LLVMTypeOf(g), "");
}

static int replace_in_functions(Ins *in, LLVMValueRef last) {
  Known k = {0};
  InsRoot root = {.is = is_variable, .value = address_of, .state = &k};
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetFirstBasicBlock(f) && ins_is_user_function(in, f)) {
      k.fn = f;
      for (unsigned i = 0; i < k.n; i++) k.address[i] = NULL;
      if (ins_replace(in, f, &root)) return -1;
    }
    if (f == last) break;
  }
  return 0;
}

int ins_variables(Ins *in, LLVMValueRef last) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g))
    if (is_movable(g)) LLVMSetSection(g, mark);
  int failed = replace_in_functions(in, last);
  for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g))
    if (is_variable(g)) LLVMSetSection(g, "");
  return failed;
}
