/* instrument_join.c - several files as one program. What `--pack` leaves is bitcode that says of itself how it is to be taken: whether
 * its device code is meant to be linked with that of others, its flavor, the races that are meant. When files are joined, all of their
 * device code comes together before anything is inlined. */
#include "instrument.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Named metadata, which lists of several files are put together from by themselves. */
static const char meant_note[] = "simt.meant", relocatable_note[] = "simt.relocatable", fastmath_note[] = "simt.fastmath";

enum { MAX_TEXTS = 3 };

static void add_note(Ins *in, const char *name, const char *const *texts, unsigned n) {
  LLVMMetadataRef text[MAX_TEXTS];
  for (unsigned i = 0; i < n; i++) text[i] = LLVMMDStringInContext2(in->ctx, texts[i], strlen(texts[i]));
  LLVMAddNamedMetadataOperand(in->mod, name, LLVMMetadataAsValue(in->ctx, LLVMMDNodeInContext2(in->ctx, text, n)));
}

void ins_pack(Ins *in, int relocatable, const char *source) {
  LLVMSetSourceFileName(in->mod, source, strlen(source));
  if (relocatable) add_note(in, relocatable_note, NULL, 0);
  if (in->fastmath) add_note(in, fastmath_note, NULL, 0);
  for (size_t i = 0; i < in->n_meant; i++) {
    char line[16];
    snprintf(line, sizeof line, "%u", in->meant[i].line);
    add_note(in, meant_note, (const char *const[]){in->meant[i].file, line, in->meant[i].reason}, MAX_TEXTS);
  }
}

static int has_note(LLVMModuleRef mod, const char *name) { return LLVMGetNamedMetadataNumOperands(mod, name) > 0; }

static char *text_of(LLVMValueRef text) { /* malloc'ed */
  unsigned len;
  const char *s = LLVMGetMDString(text, &len);
  char *copy = malloc((size_t)len + 1);
  if (!copy) abort();
  memcpy(copy, s, len);
  copy[len] = '\0';
  return copy;
}

static void take_meant(Ins *in) {
  unsigned n = LLVMGetNamedMetadataNumOperands(in->mod, meant_note);
  LLVMValueRef *note = malloc((n + 1) * sizeof *note), text[MAX_TEXTS];
  if (!note) abort();
  LLVMGetNamedMetadataOperands(in->mod, meant_note, note);
  for (unsigned i = 0; i < n; i++) {
    if (LLVMGetMDNodeNumOperands(note[i]) != MAX_TEXTS) continue;
    LLVMGetMDNodeOperands(note[i], text);
    char *line = text_of(text[1]);
    ins_meant_add(in, (MeantLine){text_of(text[0]), text_of(text[2]), (unsigned)strtoul(line, NULL, 10)});
    free(line);
  }
  free(note);
}

/* ---- joining ---- */

static int is_strong(LLVMValueRef g) { return !LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage; }

/* As the user calls it; see ins_pack(). */
static const char *source_of(LLVMModuleRef mod) {
  size_t len;
  return LLVMGetSourceFileName(mod, &len);
}

static int fail_twice(Ins *in, LLVMModuleRef mod, LLVMValueRef g) {
  size_t len;
  const char *name = LLVMIsAFunction(g) ? ins_function_name(in, g, &len) : ins_source_name(in, g, &len);
  fprintf(stderr, "%s: error: %.*s is defined in another file as well\n", source_of(mod), (int)len, name);
  return -1;
}

/* Every file has device code of its own, unless it is relocatable: a second definition is of no other file's business. */
static int settle(Ins *in, LLVMModuleRef mod, LLVMValueRef g, LLVMValueRef earlier) {
  const char *section = LLVMGetSection(g);
  size_t len;
  if (!is_strong(g) || !earlier || !is_strong(earlier)) return 0;
  if (has_note(mod, relocatable_note) || (section && !strcmp(section, "simt_global")) || !strcmp(LLVMGetValueName2(g, &len), "main"))
    return fail_twice(in, mod, g);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return 0;
}

static int settle_all(Ins *in, LLVMModuleRef mod) {
  size_t len;
  for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
    if (settle(in, mod, f, LLVMGetNamedFunction(in->mod, LLVMGetValueName2(f, &len)))) return -1;
  for (LLVMValueRef g = LLVMGetFirstGlobal(mod); g; g = LLVMGetNextGlobal(g))
    if (settle(in, mod, g, LLVMGetNamedGlobal(in->mod, LLVMGetValueName2(g, &len)))) return -1;
  return 0;
}

int ins_read(Ins *in, const char *path, LLVMModuleRef *out) {
  LLVMMemoryBufferRef buf;
  char *msg = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buf, &msg)) {
    fprintf(stderr, "simt-instrument: %s: %s\n", path, msg);
    LLVMDisposeMessage(msg);
    return -1;
  }
  int rc = LLVMParseBitcodeInContext2(in->ctx, buf, out);
  LLVMDisposeMemoryBuffer(buf);
  if (rc) fprintf(stderr, "simt-instrument: %s: not bitcode of this LLVM\n", path);
  return rc ? -1 : 0;
}

/* One of them is taken as it is compiled: precise and fast files share inline functions, which would be the ones of either. */
static int same_flavor(Ins *in, LLVMModuleRef mod) {
  if (has_note(mod, fastmath_note) == in->fastmath) return 0;
  fprintf(stderr, "%s: error: it is compiled %s -use_fast_math, unlike %s\n", source_of(mod), in->fastmath ? "without" : "with",
          source_of(in->mod));
  return -1;
}

int ins_join(Ins *in, const char *const *paths, int n) {
  LLVMModuleRef mod;
  if (ins_read(in, paths[0], &in->mod)) return -1;
  if (n > 1 || has_note(in->mod, fastmath_note)) in->fastmath = has_note(in->mod, fastmath_note);
  int all_relocatable = has_note(in->mod, relocatable_note);
  for (int i = 1; i < n; i++) {
    if (ins_read(in, paths[i], &mod) || same_flavor(in, mod) || settle_all(in, mod)) return -1;
    all_relocatable &= has_note(mod, relocatable_note);
    if (LLVMLinkModules2(in->mod, mod)) {
      fprintf(stderr, "simt-instrument: %s: cannot be linked with %s\n", paths[i], paths[0]);
      return -1;
    }
  }
  in->yields &= !all_relocatable;
  in->data = LLVMGetModuleDataLayout(in->mod);
  take_meant(in);
  return 0;
}

/* ---- objects that are linked later ---- */

static void yield(Ins *in, LLVMValueRef g) {
  size_t len;
  const char *name = LLVMGetValueName2(g, &len);
  char *kept = malloc(len + 1);
  if (!kept) abort();
  memcpy(kept, name, len + 1);
  LLVMSetValueName2(g, "", 0);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetLinkage(LLVMAddAlias2(in->mod, LLVMGlobalGetValueType(g), 0, g, kept), LLVMWeakAnyLinkage);
  free(kept);
}

/* Functions of the source have debug information; the stubs of kernels, which are ours, have none. */
void ins_yield(Ins *in) {
  size_t len;
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f))
    if (is_strong(f) && LLVMGetSubprogram(f) && strcmp(LLVMGetValueName2(f, &len), "main") != 0) yield(in, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(in->mod); g; g = LLVMGetNextGlobal(g))
    if (is_strong(g) && !LLVMIsThreadLocal(g) && !ins_is_named(g, "simt.") && !ins_is_named(g, "llvm.")) yield(in, g);
}
