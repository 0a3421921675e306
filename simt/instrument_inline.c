/* instrument_inline.c - everything a kernel calls is to be inlined into it before accesses get their sites, so that a site
 * knows its whole call path. Recursive functions and function pointers stay calls. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

typedef struct Graph {
  LLVMValueRef *fn;
  unsigned char *state; /* 0 new, 1 on the path, 2 done */
  unsigned char *recursive;
  unsigned n;
} Graph;

static unsigned index_of(const Graph *g, LLVMValueRef f) {
  unsigned i = 0;
  while (i < g->n && g->fn[i] != f) i++;
  return i;
}

static LLVMValueRef callee(LLVMValueRef inst) {
  if (!LLVMIsACallInst(inst) && !LLVMIsAInvokeInst(inst)) return NULL;
  LLVMValueRef f = LLVMGetCalledValue(inst);
  return f && LLVMIsAFunction(f) && LLVMGetFirstBasicBlock(f) ? f : NULL;
}

static void visit(Graph *g, unsigned at) {
  g->state[at] = 1;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(g->fn[at]); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef f = callee(i);
      unsigned to = f ? index_of(g, f) : g->n;
      if (to == g->n) continue;
      if (g->state[to] == 1) g->recursive[to] = 1; /* the head of the cycle stays a call */
      if (!g->state[to]) visit(g, to);
    }
  g->state[at] = 2;
}

static void set_attribute(Ins *in, LLVMValueRef fn, const char *name, int on) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  if (on)
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(in->ctx, kind, 0));
  else
    LLVMRemoveEnumAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

void ins_mark_inline(Ins *in) {
  Graph g = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f)) g.n += !!LLVMGetFirstBasicBlock(f);
  g.fn = malloc(sizeof *g.fn * (g.n + 1));
  g.state = calloc(g.n + 1, 2);
  if (!g.fn || !g.state) abort();
  g.recursive = g.state + g.n + 1;
  unsigned k = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f))
    if (LLVMGetFirstBasicBlock(f)) g.fn[k++] = f;
  for (unsigned i = 0; i < g.n; i++) {
    const char *section = LLVMGetSection(g.fn[i]);
    if (section && !strcmp(section, "simt_global") && !g.state[i]) visit(&g, i);
  }
  for (unsigned i = 0; i < g.n; i++) {
    const char *section = LLVMGetSection(g.fn[i]);
    if (!g.state[i]) continue;
    set_attribute(in, g.fn[i], "noinline", 0);
    set_attribute(in, g.fn[i], "optnone", 0);
    if (!g.recursive[i] && !(section && !strcmp(section, "simt_global"))) set_attribute(in, g.fn[i], "alwaysinline", 1);
  }
  free(g.fn);
  free(g.state);
}
