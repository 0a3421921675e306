/* instrument_shared.c - __shared__ variables (section simt_shared) become offsets into the block's own arena. Defined ones
 * lie one after the other with gaps; all extern ones are the launch's dynamic shared memory. */
#include "instrument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_shared(LLVMValueRef g) {
  const char *s = LLVMGetSection(g);
  return s && !strcmp(s, "simt_shared");
}

/* Constant data that holds addresses of shared variables: `int *buffer[2] = {a, b}`. */
static int holds_shared(LLVMValueRef c, int depth) {
  if (ins_mentions(c, is_shared, 0)) return 1;
  if (depth > 8 || !(LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c))) return 0;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(c); i++)
    if (holds_shared(LLVMGetOperand(c, i), depth + 1)) return 1;
  return 0;
}

static int is_table(LLVMValueRef g) {
  return LLVMIsGlobalConstant(g) && LLVMGetInitializer(g) && holds_shared(LLVMGetInitializer(g), 0);
}

static int is_root(LLVMValueRef g) { return is_shared(g) || is_table(g); }

enum { MAX_TABLES = 64 };

typedef struct Layout {
  LLVMValueRef var[512];
  uint64_t offset[512];
  unsigned n;
  LLVMValueRef fn, start, base, dynamic; /* of the function being rewritten; start: what it begins with, ours comes before */
  LLVMValueRef table[MAX_TABLES], copy[MAX_TABLES]; /* likewise: constant data, and its copy with this block's addresses */
  unsigned n_tables;
  unsigned char used[512]; /* likewise: variables it mentions */
} Layout;

/* A call at the start of the function. */
static LLVMValueRef at_start(Ins *in, const Layout *l, const char *name, LLVMValueRef *args, unsigned n) {
  LLVMMetadataRef sp = LLVMGetSubprogram(l->fn);
  LLVMBuilderRef keep = in->b;
  in->b = LLVMCreateBuilderInContext(in->ctx);
  LLVMPositionBuilderBefore(in->b, l->start);
  if (sp)
    LLVMSetCurrentDebugLocation2(in->b, LLVMDIBuilderCreateDebugLocation(in->ctx, LLVMDISubprogramGetLine(sp), 0, sp, NULL));
  LLVMValueRef v = ins_call(in, name, in->ptr, args, n);
  LLVMDisposeBuilder(in->b);
  in->b = keep;
  return v;
}

/* Stores the constant c at p, addresses of shared variables rebuilt. -1: an expression that is not supported. */
static int fill(Ins *in, InsRoot *root, LLVMValueRef p, LLVMValueRef c) {
  LLVMTypeRef t = LLVMTypeOf(c);
  int is_struct = !!LLVMIsAConstantStruct(c);
  if (!holds_shared(c, 0) || !(is_struct || LLVMIsAConstantArray(c))) {
    LLVMValueRef v = ins_rebuild(in, c, root);
    return v ? LLVMBuildStore(in->b, v, p), 0 : -1;
  }
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(c); i++) {
    LLVMValueRef idx[2] = {LLVMConstInt(in->i32, 0, 0), LLVMConstInt(in->i32, i, 0)};
    if (fill(in, root, LLVMBuildInBoundsGEP2(in->b, t, p, idx, 2, ""), LLVMGetOperand(c, i))) return -1;
  }
  return 0;
}

/* A copy of constant data in the function's frame, made at its start. */
static LLVMValueRef table_copy(Ins *in, InsRoot *root, LLVMValueRef g) {
  Layout *l = root->state;
  for (unsigned i = 0; i < l->n_tables; i++)
    if (l->table[i] == g) return l->copy[i];
  if (l->n_tables == MAX_TABLES) return NULL;
  LLVMBuilderRef keep = in->b;
  in->b = LLVMCreateBuilderInContext(in->ctx);
  ins_before(in, l->start);
  LLVMValueRef copy = LLVMBuildAlloca(in->b, LLVMGlobalGetValueType(g), "");
  LLVMSetAlignment(copy, LLVMGetAlignment(g));
  int failed = fill(in, root, copy, LLVMGetInitializer(g));
  LLVMDisposeBuilder(in->b);
  in->b = keep;
  l->table[l->n_tables] = g;
  l->copy[l->n_tables++] = copy;
  return failed ? NULL : copy;
}

static void begin_function(Ins *in, Layout *l, LLVMValueRef fn) {
  l->fn = fn;
  l->start = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(fn));
  l->base = l->dynamic = NULL;
  l->n_tables = 0;
  memset(l->used, 0, sizeof l->used);
  in->shared_use = ins_grow(in->shared_use, in->n_shared_use, sizeof *in->shared_use);
  in->shared_use[in->n_shared_use++] = (SharedUse){fn, 0};
}

/* Counts a variable once a function, as a compiler would lay them out one after the other. */
static void count_use(Ins *in, Layout *l, unsigned i) {
  if (l->used[i]++) return;
  uint64_t align = LLVMGetAlignment(l->var[i]), *bytes = &in->shared_use[in->n_shared_use - 1].bytes;
  if (align) *bytes = (*bytes + align - 1) / align * align;
  *bytes += LLVMABISizeOfType(in->data, LLVMGlobalGetValueType(l->var[i]));
}

static LLVMValueRef address_of(Ins *in, InsRoot *root, LLVMValueRef g) {
  Layout *l = root->state;
  LLVMTypeRef t = LLVMTypeOf(g);
  if (l->fn != root->fn) begin_function(in, l, root->fn);
  if (is_table(g)) return table_copy(in, root, g);
  if (LLVMIsDeclaration(g)) {
    if (!l->dynamic) l->dynamic = at_start(in, l, "simt_shared_dynamic", NULL, 0);
    return LLVMBuildPointerCast(in->b, l->dynamic, t, "");
  }
  if (!l->base) {
    LLVMValueRef m = LLVMConstPointerCast(in->module_global, in->ptr);
    l->base = at_start(in, l, "simt_shared_static", &m, 1);
  }
  unsigned i = 0;
  while (l->var[i] != g) i++;
  count_use(in, l, i);
  LLVMValueRef offset = LLVMConstInt(in->i64, l->offset[i], 0);
  return LLVMBuildPointerCast(in->b, LLVMBuildGEP2(in->b, in->i8, l->base, &offset, 1, ""), t, "");
}

static LLVMValueRef describe(Ins *in, const Layout *l) {
  LLVMValueRef row[512];
  for (unsigned i = 0; i < l->n; i++) {
    size_t len;
    const char *name = ins_source_name(in, l->var[i], &len);
    row[i] = ins_var(in, name, len, l->offset[i], LLVMGlobalGetValueType(l->var[i]));
  }
  LLVMValueRef init = LLVMConstArray(in->var_type, row, l->n);
  LLVMValueRef g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.shared.vars");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return g;
}

/* How much of each page is a variable's. */
static LLVMValueRef page_table(Ins *in, const Layout *l, uint64_t total) {
  unsigned n = (unsigned)(total / SIMT_SHARED_PAGE_BYTES);
  uint16_t *bytes = calloc(n + 1, sizeof *bytes);
  LLVMValueRef *v = malloc((n + 1) * sizeof *v);
  if (!bytes || !v) abort();
  for (unsigned i = 0; i < l->n; i++) {
    uint64_t left = LLVMABISizeOfType(in->data, LLVMGlobalGetValueType(l->var[i]));
    for (uint64_t p = l->offset[i] / SIMT_SHARED_PAGE_BYTES; left; p++) {
      bytes[p] = (uint16_t)(left < SIMT_SHARED_PAGE_BYTES ? left : SIMT_SHARED_PAGE_BYTES);
      left -= bytes[p];
    }
  }
  for (unsigned p = 0; p < n; p++) v[p] = LLVMConstInt(in->i16, bytes[p], 0);
  LLVMValueRef init = LLVMConstArray(in->i16, v, n), g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.shared.pages");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  free(bytes);
  free(v);
  return LLVMConstPointerCast(g, in->ptr);
}

/* The extern variable; without a name when there are several that differ. */
static LLVMValueRef describe_dynamic(Ins *in) {
  const char *name = NULL;
  size_t len = 0, n;
  LLVMTypeRef type = LLVMArrayType(in->i8, 0);
  for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g)) {
    if (!is_shared(g) || !LLVMIsDeclaration(g)) continue;
    const char *s = ins_source_name(in, g, &n);
    if (name && (n != len || memcmp(s, name, n) != 0 || LLVMGlobalGetValueType(g) != type)) return ins_var(in, "", 0, 0, type);
    name = s;
    len = n;
    type = LLVMGlobalGetValueType(g);
  }
  return ins_var(in, name, len, 0, type);
}

static void define_module(Ins *in, const Layout *l, uint64_t total, LLVMTypeRef mod_type) {
  LLVMValueRef vars = describe(in, l);
  LLVMValueRef f[5] = {LLVMConstPointerCast(vars, in->ptr), LLVMConstInt(in->i64, l->n, 0), LLVMConstInt(in->i64, total, 0),
                       page_table(in, l, total), describe_dynamic(in)};
  LLVMSetInitializer(in->module_global, LLVMConstNamedStruct(mod_type, f, 5));
  LLVMValueRef ref = LLVMAddGlobal(in->mod, in->ptr, "simt.module.ref");
  LLVMSetInitializer(ref, LLVMConstPointerCast(in->module_global, in->ptr));
  LLVMSetLinkage(ref, LLVMInternalLinkage);
  LLVMSetSection(ref, "simt_modules");
  ins_keep(in, ref);
}

int ins_shared(Ins *in) {
  Layout l = {0};
  uint64_t at = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g)) {
    if (!is_shared(g) || LLVMIsDeclaration(g)) continue;
    if (l.n == 512) {
      fprintf(stderr, "simt-instrument: more than 512 shared variables in one file\n");
      return -1;
    }
    l.var[l.n] = g;
    l.offset[l.n++] = at;
    uint64_t size = LLVMABISizeOfType(in->data, LLVMGlobalGetValueType(g));
    at = (at + size + SIMT_SHARED_PAGE_BYTES + SIMT_SHARED_PAGE_BYTES - 1) / SIMT_SHARED_PAGE_BYTES * SIMT_SHARED_PAGE_BYTES;
  }
  LLVMTypeRef mod_type = LLVMStructCreateNamed(in->ctx, "simt.module");
  LLVMStructSetBody(mod_type, (LLVMTypeRef[]){in->ptr, in->i64, in->i64, in->ptr, in->var_type}, 5, 0);
  in->module_global = LLVMAddGlobal(in->mod, mod_type, "simt.this_module");
  LLVMSetLinkage(in->module_global, LLVMInternalLinkage);
  InsRoot root = {.is = is_root, .value = address_of, .state = &l};
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFirstBasicBlock(f) && ins_replace(in, f, &root)) {
      fprintf(stderr, "simt-instrument: a use of a shared variable is not supported\n");
      return -1;
    }
  define_module(in, &l, at, mod_type);
  return 0;
}
