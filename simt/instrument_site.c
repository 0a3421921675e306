/* instrument_site.c - source positions and call paths out of the debug information. */
#include "instrument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *ins_grow(void *p, size_t n, size_t elem_bytes) {
  if (n & (n - 1)) return p; /* capacity is the next power of two */
  void *q = realloc(p, (n ? 2 * n : 1) * elem_bytes);
  if (!q) abort(); /* a compiler pass without memory has nothing to save */
  return q;
}

LLVMValueRef ins_string(Ins *in, const char *s, size_t len) {
  for (size_t i = 0; i < in->n_strings; i++)
    if (strlen(in->strings[i]) == len && !memcmp(in->strings[i], s, len)) return in->string_globals[i];
  LLVMValueRef init = LLVMConstStringInContext(in->ctx, s, (unsigned)len, 0);
  LLVMValueRef g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.str");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  in->strings = ins_grow(in->strings, in->n_strings, sizeof *in->strings);
  in->string_globals = ins_grow(in->string_globals, in->n_strings, sizeof *in->string_globals);
  char *copy = malloc(len + 1);
  if (!copy) abort();
  memcpy(copy, s, len);
  copy[len] = 0;
  in->strings[in->n_strings] = copy;
  in->string_globals[in->n_strings] = LLVMConstPointerCast(g, in->ptr);
  return in->string_globals[in->n_strings++];
}

/* Operand i of a metadata node, or NULL. */
LLVMMetadataRef ins_md_operand(Ins *in, LLVMMetadataRef md, unsigned i) {
  LLVMValueRef v = LLVMMetadataAsValue(in->ctx, md), ops[64];
  unsigned n = LLVMGetMDNodeNumOperands(v);
  if (i >= n || n > 64) return NULL;
  LLVMGetMDNodeOperands(v, ops);
  return ops[i] ? LLVMValueAsMetadata(ops[i]) : NULL;
}

unsigned ins_md_count(Ins *in, LLVMMetadataRef md) { return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(in->ctx, md)); }

/* The subprogram that holds a local scope. Lexical blocks keep their parent in operand 1. */
static LLVMMetadataRef subprogram(Ins *in, LLVMMetadataRef scope) {
  while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) scope = ins_md_operand(in, scope, 1);
  return scope;
}

const char *ins_md_string(Ins *in, LLVMMetadataRef md, size_t *len) {
  unsigned n = 0;
  const char *s = md ? LLVMGetMDString(LLVMMetadataAsValue(in->ctx, md), &n) : NULL;
  *len = s ? n : 0;
  return s ? s : "";
}

/* "buf" out of _ZN5outer5inner3bufE, the last of its names. */
static const char *last_name(const char *s, size_t n, size_t *len) {
  const char *best = s, *p = s + 3;
  for (char *end; p < s + n && *p >= '1' && *p <= '9'; p = end + *len) {
    unsigned long k = strtoul(p, &end, 10);
    if (k > (size_t)(s + n - end)) break;
    best = end;
    *len = k;
  }
  return best;
}

/* Without debug information: "buf" out of _ZZ6kernelPfE3buf_0: the source name of a static local; of one in a namespace;
 * others are their own symbol. */
static const char *demangled(LLVMValueRef g, size_t *len) {
  size_t n;
  const char *s = LLVMGetValueName2(g, &n), *best = s;
  *len = n;
  if (ins_starts_with(s, n, "_ZN")) return last_name(s, n, len);
  if (!ins_starts_with(s, n, "_ZZ")) return s;
  for (const char *p = s + 3; p + 1 < s + n; p++) { /* E <number> <identifier>, the last one that fits */
    if (*p != 'E' || p[1] < '1' || p[1] > '9') continue;
    char *end;
    unsigned long k = strtoul(p + 1, &end, 10);
    if (k <= (size_t)(s + n - end)) best = end, *len = k;
  }
  return best;
}

/* The !dbg of a variable is an expression over a DIGlobalVariable, whose operand 1 is its name. */
const char *ins_source_name(Ins *in, LLVMValueRef g, size_t *len) {
  size_t n = 0;
  LLVMValueMetadataEntry *e = LLVMGlobalCopyAllMetadata(g, &n);
  const char *name = NULL;
  for (unsigned i = 0; i < n && !name; i++) {
    LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(e, i);
    if (LLVMGetMetadataKind(md) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    name = ins_md_string(in, ins_md_operand(in, LLVMDIGlobalVariableExpressionGetVariable(md), 1), len);
    if (!*len) name = NULL;
  }
  LLVMDisposeValueMetadataEntries(e);
  return name ? name : demangled(g, len);
}

const char *ins_function_name(Ins *in, LLVMValueRef fn, size_t *len) {
  LLVMMetadataRef sp = LLVMGetSubprogram(fn);
  if (sp) { /* operand 2 of a DISubprogram is its name */
    const char *s = ins_md_string(in, ins_md_operand(in, sp, 2), len);
    if (*len) return s;
  }
  return LLVMGetValueName2(fn, len);
}

/* Does DIRECTORY/NAME begin with the shim's directory? Names below the compiler's directory are relative to it. */
static int below_shim(Ins *in, LLVMMetadataRef file) {
  char path[4096];
  unsigned n = 0, d = 0;
  const char *name = LLVMDIFileGetFilename(file, &n), *dir = LLVMDIFileGetDirectory(file, &d);
  size_t want = strlen(in->shim_dir);
  int len = n && name[0] == '/' ? snprintf(path, sizeof path, "%.*s", (int)n, name)
                                : snprintf(path, sizeof path, "%.*s/%.*s", (int)d, dir, (int)n, name);
  return len > 0 && (size_t)len < sizeof path && (size_t)len > want && !memcmp(path, in->shim_dir, want) && path[want] == '/';
}

/* Accesses that the user asked for through a wrapper (__ldg and the like, operators that take references) are the user's: the shim has
 * them in files simt_user_*. */
static int is_users(LLVMMetadataRef file) {
  unsigned n = 0;
  const char *name = LLVMDIFileGetFilename(file, &n);
  unsigned base = n;
  while (base && name[base - 1] != '/') base--;
  return ins_starts_with(name + base, n - base, "simt_user_");
}

static int in_shim(Ins *in, LLVMMetadataRef scope, int accesses_count) {
  LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
  return file && below_shim(in, file) && !(accesses_count && is_users(file));
}

int ins_is_user(Ins *in, LLVMValueRef inst) {
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
  return !loc || !in_shim(in, LLVMDILocationGetScope(loc), 1);
}

/* Kernels of the shim are in such files, too. */
int ins_is_user_place(Ins *in, LLVMMetadataRef loc) { return !in_shim(in, LLVMDILocationGetScope(loc), 0); }

int ins_is_user_function(Ins *in, LLVMValueRef fn) {
  LLVMMetadataRef sp = LLVMGetSubprogram(fn);
  return sp && !in_shim(in, sp, 1);
}

static LLVMValueRef emit_site(Ins *in, LLVMMetadataRef loc, unsigned size, unsigned align);

static LLVMValueRef frame_site(Ins *in, LLVMMetadataRef loc) {
  for (size_t i = 0; i < in->n_frames; i++)
    if (in->frames[i].loc == loc) return in->frames[i].site;
  LLVMValueRef s = emit_site(in, loc, 0, 0);
  in->frames = ins_grow(in->frames, in->n_frames, sizeof *in->frames);
  in->frames[in->n_frames++] = (Frame){loc, s};
  return s;
}

static unsigned log2_of(uint64_t v) {
  unsigned n = 0;
  while (n < 31 && (2ull << n) <= v) n++;
  return n;
}

/* SimtSite.size_log2 of a place in a kernel that is the shim's: is the user's code on the way to it? */
static unsigned own_flags(Ins *in, LLVMMetadataRef loc) {
  LLVMMetadataRef kernel = loc;
  while (kernel && LLVMDILocationGetInlinedAt(kernel)) kernel = LLVMDILocationGetInlinedAt(kernel);
  LLVMMetadataRef file = kernel ? LLVMDIScopeGetFile(LLVMDILocationGetScope(kernel)) : NULL;
  if (!file || !below_shim(in, file) || !is_users(file)) return 0; /* its other files have no kernels */
  return in_shim(in, LLVMDILocationGetScope(loc), 0) ? SIMT_SITE_OWN : SIMT_SITE_OWN_KERNEL;
}

/* Frames of the shim are left out: the user's line is the place. */
LLVMMetadataRef ins_user_frame(Ins *in, LLVMMetadataRef loc) {
  while (loc && in_shim(in, LLVMDILocationGetScope(loc), 0) && LLVMDILocationGetInlinedAt(loc))
    loc = LLVMDILocationGetInlinedAt(loc);
  return loc;
}

/* size, align: the record's last two members, flags and all. */
static LLVMValueRef emit_site(Ins *in, LLVMMetadataRef loc, unsigned size, unsigned align) {
  loc = ins_user_frame(in, loc);
  unsigned n = 0, line = 0, column = 0, own = own_flags(in, loc);
  const char *name = "?", *func = "?";
  size_t func_len = 1;
  n = 1;
  LLVMValueRef caller = LLVMConstNull(in->ptr);
  if (loc) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(loc), file = LLVMDIScopeGetFile(scope);
    if (file) name = LLVMDIFileGetFilename(file, &n);
    LLVMMetadataRef sp = subprogram(in, scope);
    if (sp) func = ins_md_string(in, ins_md_operand(in, sp, 2), &func_len);
    line = LLVMDILocationGetLine(loc);
    column = LLVMDILocationGetColumn(loc);
    LLVMMetadataRef at = LLVMDILocationGetInlinedAt(loc);
    while (at && in_shim(in, LLVMDILocationGetScope(at), 0)) at = LLVMDILocationGetInlinedAt(at);
    if (at) caller = frame_site(in, at);
  }
  LLVMValueRef field[7] = {
      ins_string(in, name, n), ins_string(in, func, func_len), caller,
      LLVMConstInt(in->i32, line, 0), LLVMConstInt(in->i16, column > 65535 ? 65535 : column, 0),
      LLVMConstInt(in->i8, size | own, 0), LLVMConstInt(in->i8, align, 0)};
  LLVMValueRef g = LLVMAddGlobal(in->mod, in->site_type, "simt.site");
  LLVMSetInitializer(g, LLVMConstNamedStruct(in->site_type, field, 7));
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetSection(g, "simt_sites");
  LLVMSetAlignment(g, 32);
  in->n_sites++;
  LLVMValueRef site = LLVMConstPointerCast(g, in->ptr);
  ins_meant_site(in, name, n, line, site);
  return site;
}

LLVMValueRef ins_site(Ins *in, LLVMValueRef inst, uint64_t bytes, unsigned align_log2, int is_volatile) {
  LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
  if (!loc || !LLVMDILocationGetLine(loc)) loc = ins_location(in, LLVMGetInstructionParent(inst));
  unsigned size = log2_of(bytes ? bytes : 1) | (is_volatile && ins_is_update(in, inst) ? SIMT_SITE_UPDATE : 0);
  return emit_site(in, loc, size, align_log2 | (is_volatile ? SIMT_SITE_VOLATILE : 0u));
}
