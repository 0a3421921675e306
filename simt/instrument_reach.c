/* instrument_reach.c - may a kernel be launched? What the engine does not have stops a file only where somebody may come to it: of kernel templates and
 * files of kernels much is never launched. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

typedef struct Seen {
  LLVMValueRef *fn;
  size_t n, room;
} Seen;

/* 1: for the first time. */
static int see(Seen *s, LLVMValueRef fn) {
  for (size_t i = 0; i < s->n; i++)
    if (s->fn[i] == fn) return 0;
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : 16;
    s->fn = realloc(s->fn, s->room * sizeof *s->fn);
    if (!s->fn) abort();
  }
  s->fn[s->n++] = fn;
  return 1;
}

/* Do others call it? If the caller of simt-instrument has said which functions they call, those alone. Not kernels: it is about launches. */
static int is_root(const Ins *in, LLVMValueRef fn) {
  size_t len;
  const char *name = LLVMGetValueName2(fn, &len), *section = LLVMGetSection(fn);
  if (section && !strcmp(section, "simt_global")) return 0;
  for (size_t i = 0; i < in->n_roots; i++)
    if (strlen(in->root[i]) == len && !memcmp(in->root[i], name, len)) return 1;
  LLVMLinkage linkage = LLVMGetLinkage(fn); /* weak: a template that is instantiated explicitly */
  return !in->n_roots && (linkage == LLVMExternalLinkage || linkage == LLVMWeakODRLinkage || linkage == LLVMWeakAnyLinkage);
}

/* Lists of the compiler's, which call nothing. */
static int is_list(LLVMValueRef global) {
  return ins_is_named(global, "llvm.global.annotations") || ins_is_named(global, "llvm.used") || ins_is_named(global, "llvm.compiler.used");
}

/* Is there a use of v that somebody may come to? Data that holds its address may be anybody's. */
static int is_used(const Ins *in, LLVMValueRef v, Seen *seen) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAInstruction(user)) {
      LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
      if (is_root(in, fn) || (see(seen, fn) && is_used(in, fn, seen))) return 1;
    } else if (LLVMIsAGlobalVariable(user)) {
      if (!is_list(user)) return 1;
    } else if (LLVMIsAGlobalAlias(user) || is_used(in, user, seen))
      return 1;
  }
  return 0;
}

int ins_is_reached(const Ins *in, LLVMValueRef kernel) {
  Seen seen = {0};
  see(&seen, kernel);
  int reached = is_used(in, kernel, &seen);
  free(seen.fn);
  return reached;
}
