/* instrument_kernel.c - a __global__ function (section simt_global) becomes two: the body, which one thread runs through a
 * thunk, and a stub under the old name, which packs its arguments once and launches. Calls in launch statements reach the
 * stub, so template deduction, conversions and default arguments are plain C++. */
#include "instrument.h"
#include <stdlib.h>
#include <string.h>

static int is_kernel(LLVMValueRef f) {
  const char *s = LLVMGetSection(f);
  return s && !strcmp(s, "simt_global") && LLVMGetFirstBasicBlock(f);
}

static LLVMAttributeRef byval_of(LLVMValueRef f, unsigned param) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  return LLVMGetEnumAttributeAtIndex(f, param + 1, kind);
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, unsigned n_params) {
  for (unsigned i = 0; i < n_params; i++) {
    LLVMAttributeRef a[32];
    unsigned n = LLVMGetAttributeCountAtIndex(from, i + 1);
    if (n > 32) continue;
    LLVMGetAttributesAtIndex(from, i + 1, a);
    for (unsigned k = 0; k < n; k++) LLVMAddAttributeAtIndex(to, i + 1, a[k]);
    if (!ins_is_by_address(from, i)) continue;
    LLVMRemoveEnumAttributeAtIndex(to, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
    LLVMRemoveEnumAttributeAtIndex(to, i + 1, LLVMGetEnumAttributeKindForName("align", 5));
  }
}

/* The struct that carries the arguments: each parameter's type, or what a byval pointer points to. */
static LLVMTypeRef pack_type(Ins *in, LLVMValueRef body, unsigned n) {
  LLVMTypeRef t[256];
  for (unsigned i = 0; i < n; i++) {
    LLVMAttributeRef a = byval_of(body, i);
    t[i] = a ? LLVMGetTypeAttributeValue(a) : LLVMTypeOf(LLVMGetParam(body, i));
  }
  return LLVMStructTypeInContext(in->ctx, t, n, 0);
}

static void build_thunk(Ins *in, LLVMValueRef thunk, LLVMValueRef body, LLVMTypeRef pack, unsigned n) {
  LLVMPositionBuilderAtEnd(in->b, LLVMAppendBasicBlockInContext(in->ctx, thunk, ""));
  LLVMSetCurrentDebugLocation2(in->b, NULL);
  LLVMValueRef args = LLVMBuildPointerCast(in->b, LLVMGetParam(thunk, 0), LLVMPointerType(pack, 0), ""), v[256];
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef field = LLVMBuildStructGEP2(in->b, pack, args, i, "");
    v[i] = byval_of(body, i) ? field : LLVMBuildLoad2(in->b, LLVMStructGetTypeAtIndex(pack, i), field, "");
  }
  LLVMValueRef call = LLVMBuildCall2(in->b, LLVMGlobalGetValueType(body), body, v, n, "");
  for (unsigned i = 0; i < n; i++)
    if (byval_of(body, i)) LLVMAddCallSiteAttribute(call, i + 1, byval_of(body, i));
  LLVMBuildRetVoid(in->b);
}

static void build_stub(Ins *in, LLVMValueRef stub, LLVMValueRef body, LLVMValueRef record, LLVMTypeRef pack, unsigned n) {
  LLVMPositionBuilderAtEnd(in->b, LLVMAppendBasicBlockInContext(in->ctx, stub, ""));
  LLVMSetCurrentDebugLocation2(in->b, NULL);
  LLVMValueRef args = LLVMBuildAlloca(in->b, pack, "");
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef v = LLVMGetParam(stub, i), field = LLVMBuildStructGEP2(in->b, pack, args, i, "");
    if (byval_of(body, i)) v = LLVMBuildLoad2(in->b, LLVMStructGetTypeAtIndex(pack, i), v, "");
    if (ins_is_by_address(body, i)) LLVMSetAlignment(v, 1);
    LLVMBuildStore(in->b, v, field);
  }
  LLVMValueRef a[3] = {LLVMConstPointerCast(record, in->ptr), ins_as_ptr(in, args),
                       LLVMConstInt(in->i64, LLVMABISizeOfType(in->data, pack), 0)};
  ins_call(in, "simt_launch_kernel", LLVMVoidTypeInContext(in->ctx), a, 3);
  LLVMBuildRetVoid(in->b);
}

static uint64_t static_shared_bytes(const Ins *in, LLVMValueRef body) {
  for (size_t i = 0; i < in->n_shared_use; i++)
    if (in->shared_use[i].fn == body) return in->shared_use[i].bytes;
  return 0;
}

static LLVMValueRef build_record(Ins *in, LLVMValueRef body, LLVMValueRef thunk, uint64_t max_threads, const char *name, size_t len) {
  LLVMValueRef f[5] = {ins_string(in, name, len), LLVMConstPointerCast(thunk, in->ptr),
                       LLVMConstPointerCast(in->module_global, in->ptr),
                       LLVMConstInt(in->i64, static_shared_bytes(in, body), 0), LLVMConstInt(in->i64, max_threads, 0)};
  LLVMValueRef init = LLVMConstStructInContext(in->ctx, f, 5, 0);
  LLVMValueRef g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.kernel");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  return g;
}

static void split_kernel(Ins *in, LLVMValueRef body) {
  unsigned n = LLVMCountParams(body);
  if (n > 256) return;
  size_t len;
  const char *symbol = LLVMGetValueName2(body, &len);
  char *name = malloc(len + 1);
  if (!name) abort();
  memcpy(name, symbol, len);
  name[len] = 0;
  uint64_t max_threads = ins_launch_bounds(in, body);
  LLVMTypeRef type = LLVMGlobalGetValueType(body);
  LLVMValueRef stub = LLVMAddFunction(in->mod, "simt.stub", type);
  copy_attributes(body, stub, n);
  LLVMReplaceAllUsesWith(body, stub);
  LLVMSetLinkage(stub, LLVMGetLinkage(body));
  if (LLVMGetComdat(body)) LLVMSetComdat(stub, LLVMGetComdat(body));
  LLVMSetComdat(body, NULL);
  LLVMSetLinkage(body, LLVMInternalLinkage);
  LLVMSetSection(body, "");
  LLVMSetValueName2(body, "simt.body", 9);
  LLVMSetValueName2(stub, name, len);
  LLVMTypeRef pack = pack_type(in, body, n);
  LLVMTypeRef thunk_type = LLVMFunctionType(LLVMVoidTypeInContext(in->ctx), &in->ptr, 1, 0);
  LLVMValueRef thunk = LLVMAddFunction(in->mod, "simt.thunk", thunk_type);
  LLVMSetLinkage(thunk, LLVMInternalLinkage);
  build_thunk(in, thunk, body, pack, n);
  size_t shown;
  const char *source = ins_function_name(in, body, &shown);
  LLVMValueRef record = build_record(in, body, thunk, max_threads, source, shown);
  build_stub(in, stub, body, record, pack, n);
  ins_entry(in, stub, body, record, pack, n);
  free(name);
}

int ins_kernels(Ins *in) {
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    if (!is_kernel(f)) continue;
    if (ins_refuse(in, f)) return -1;
    split_kernel(in, f);
  }
  return 0;
}
