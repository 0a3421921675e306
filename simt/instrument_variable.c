/* instrument_variable.c - __device__, __constant__ and __managed__ variables: user code takes their address from the engine, which gives
 * each run its own copy. What the front end made stays as the image that a run starts from, and is what host code sees of those that are not managed. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

/* Decided beforehand, as records refer to variables too; noted in the section, which they do not have otherwise. */
static const char mark[] = "simt_variable", managed_mark[] = "simt_variable.managed", managed[] = "simt_managed";

static int is_variable(LLVMValueRef g) {
  const char *section = LLVMGetSection(g);
  return section && !strncmp(section, mark, strlen(mark)) && (!section[strlen(mark)] || section[strlen(mark)] == '.');
}

static int is_managed(LLVMValueRef g) { return !strcmp(LLVMGetSection(g), managed_mark); }

static int is_address_of(LLVMValueRef c) { /* a step in a constant address */
  if (!LLVMIsAConstantExpr(c)) return 0;
  LLVMOpcode op = LLVMGetConstOpcode(c);
  return op == LLVMGetElementPtr || op == LLVMBitCast || op == LLVMAddrSpaceCast;
}

static int is_aggregate(LLVMValueRef c) { return LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c); }

/* Reached through instructions, and as an address in initialisers of variables: nothing else would follow. */
static int is_followed(LLVMValueRef c, int in_image) {
  for (LLVMUseRef u = LLVMGetFirstUse(c); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAInstruction(user) || (LLVMIsAGlobalVariable(user) && in_image && is_variable(user))) continue;
    if (LLVMIsAConstantExpr(user) ? !is_followed(user, in_image && is_address_of(user)) : !is_aggregate(user) || !is_followed(user, in_image))
      return 0;
  }
  return 1;
}

/* Other sections are ours: shared memory, sites. An object over the largest alignment is left alone. */
static int is_movable(LLVMValueRef g) {
  enum { ALIGN_BYTES = 256 };
  size_t n;
  const char *section = LLVMGetSection(g), *name = LLVMGetValueName2(g, &n);
  if (LLVMIsGlobalConstant(g) || !LLVMGetInitializer(g) || LLVMIsThreadLocal(g)) return 0;
  if (section && *section && strcmp(section, managed)) return 0;
  if (ins_starts_with(name, n, "simt.") || ins_starts_with(name, n, "llvm.") || ins_starts_with(name, n, "_ZGV")) return 0;
  return LLVMGetAlignment(g) <= ALIGN_BYTES;
}

static void mark_variables(Ins *in) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g))
    if (is_movable(g)) LLVMSetSection(g, LLVMGetSection(g) && *LLVMGetSection(g) ? managed_mark : mark);
  for (int again = 1; again;) {
    again = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g))
      if (is_variable(g) && !is_followed(g, 1)) LLVMSetSection(g, is_managed(g) ? managed : ""), again = 1;
  }
}

typedef struct Known { /* records made, and their addresses in the function that is rewritten */
  LLVMValueRef *var, *record, *address;
  unsigned n;
  LLVMValueRef fn;
} Known;

static LLVMValueRef record_of(Ins *in, Known *k, LLVMValueRef g);

typedef struct Pointers {
  LLVMValueRef *row; /* SimtPointer */
  unsigned n;
} Pointers;

/* The pointers to variables in a constant that lies at an offset of an image. */
static void find_pointers(Ins *in, Known *k, LLVMValueRef c, uint64_t at_bytes, Pointers *p) {
  LLVMTypeRef t = LLVMTypeOf(c);
  for (int i = 0; is_aggregate(c) && i < LLVMGetNumOperands(c); i++) {
    uint64_t off = LLVMIsAConstantStruct(c) ? LLVMOffsetOfElement(in->data, t, (unsigned)i)
                                            : (uint64_t)i * LLVMABISizeOfType(in->data, LLVMGetElementType(t));
    find_pointers(in, k, LLVMGetOperand(c, (unsigned)i), at_bytes + off, p);
  }
  while (is_address_of(c)) c = LLVMGetOperand(c, 0);
  if (!LLVMIsAGlobalVariable(c) || !is_variable(c)) return;
  LLVMValueRef f[2] = {LLVMConstInt(in->i64, at_bytes, 0), LLVMConstPointerCast(record_of(in, k, c), in->ptr)};
  p->row = ins_grow(p->row, p->n, sizeof *p->row);
  p->row[p->n++] = LLVMConstStructInContext(in->ctx, f, 2, 0);
}

static LLVMValueRef internal(Ins *in, LLVMTypeRef t, const char *name) {
  LLVMValueRef g = LLVMAddGlobal(in->mod, t, name);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return g;
}

/* The record is there before it is filled: variables may point to each other. */
static void fill_record(Ins *in, Known *k, LLVMValueRef record, LLVMValueRef g) {
  size_t len;
  const char *name = ins_source_name(in, g, &len);
  Pointers p = {0};
  find_pointers(in, k, LLVMGetInitializer(g), 0, &p);
  LLVMValueRef table = LLVMConstNull(in->ptr);
  if (p.n) {
    LLVMTypeRef row = LLVMTypeOf(p.row[0]);
    LLVMValueRef rows = internal(in, LLVMArrayType(row, p.n), "simt.pointers");
    LLVMSetInitializer(rows, LLVMConstArray(row, p.row, p.n));
    table = LLVMConstPointerCast(rows, in->ptr);
  }
  unsigned how = (LLVMIsNull(LLVMGetInitializer(g)) ? SIMT_VARIABLE_ZERO : 0u) | (is_managed(g) ? SIMT_VARIABLE_MANAGED : 0u);
  LLVMValueRef f[6] = {ins_string(in, name, len), LLVMConstPointerCast(g, in->ptr),
                       LLVMConstInt(in->i64, LLVMABISizeOfType(in->data, LLVMGlobalGetValueType(g)), 0),
                       LLVMConstInt(in->i64, how, 0), table, LLVMConstInt(in->i64, p.n, 0)};
  LLVMSetInitializer(record, LLVMConstStructInContext(in->ctx, f, 6, 0));
  free(p.row);
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
  LLVMTypeRef t[6] = {in->ptr, in->ptr, in->i64, in->i64, in->ptr, in->i64};
  k->record[i] = internal(in, LLVMStructTypeInContext(in->ctx, t, 6, 0), "simt.variable");
  LLVMSetSection(k->record[i], "simt_variables"); /* host code names variables to the runtime by their addresses */
  LLVMSetAlignment(k->record[i], 8);
  ins_keep(in, k->record[i]);
  k->n++;
  fill_record(in, k, k->record[i], g);
  return i;
}

static LLVMValueRef record_of(Ins *in, Known *k, LLVMValueRef g) {
  unsigned i = number_of(in, k, g); /* moves the table */
  return k->record[i];
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
  mark_variables(in);
  int failed = replace_in_functions(in, last);
  for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g))
    if (is_variable(g)) LLVMSetSection(g, "");
  return failed;
}
