/* instrument_refuse.c - what a kernel says about its launches, and what it may not call. */
#include "instrument.h"
#include <stdio.h>
#include <string.h>

static LLVMValueRef strip(LLVMValueRef c) {
  while (LLVMIsAConstantExpr(c)) c = LLVMGetOperand(c, 0);
  return c;
}

static int is_bounds(LLVMValueRef text) {
  size_t n;
  LLVMValueRef init = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
  if (!init || !LLVMIsConstantString(init)) return 0;
  const char *s = LLVMGetAsString(init, &n);
  return ins_starts_with(s, n, "simt_bounds");
}

/* The first argument of __launch_bounds__, which the shim turns into an annotation; 0: none. */
uint64_t ins_launch_bounds(Ins *in, LLVMValueRef kernel) {
  LLVMValueRef all = LLVMGetNamedGlobal(in->mod, "llvm.global.annotations");
  if (!all) return 0;
  all = LLVMGetInitializer(all);
  for (int i = 0; i < LLVMGetNumOperands(all); i++) { /* {function, text, file, line, arguments} */
    LLVMValueRef row = LLVMGetOperand(all, (unsigned)i);
    if (LLVMGetNumOperands(row) < 5 || strip(LLVMGetOperand(row, 0)) != kernel || !is_bounds(strip(LLVMGetOperand(row, 1)))) continue;
    LLVMValueRef args = strip(LLVMGetOperand(row, 4));
    LLVMValueRef init = LLVMIsAGlobalVariable(args) ? LLVMGetInitializer(args) : NULL;
    LLVMValueRef first = init && LLVMGetNumOperands(init) > 0 ? LLVMGetOperand(init, 0) : NULL;
    if (first && LLVMIsAConstantInt(first)) return LLVMConstIntGetZExtValue(first);
  }
  return 0;
}

/* The device heap: on the engine these would give host memory. A launch: there is one at a time. The reason, or NULL. */
static const char *why_refused(const char *name, size_t len) {
  static const char *const heap[] = {"malloc", "calloc", "realloc", "free", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};
  static const char launch[] = "simt_configure_launch";
  if (len == sizeof launch - 1 && !memcmp(name, launch, len)) return "dynamic parallelism is not supported";
  for (size_t i = 0; i < sizeof heap / sizeof heap[0]; i++)
    if (len == strlen(heap[i]) && !memcmp(name, heap[i], len)) return "the device heap is not supported";
  return NULL;
}

static const char *plain_name(const char *name) {
  if (!strncmp(name, "simt_", 5)) return "a launch";
  if (!strncmp(name, "_Zn", 3)) return "new";
  return strncmp(name, "_Zd", 3) ? name : "delete";
}

/* The string literal of simt_op_refused(), or NULL. */
static const char *literal(LLVMValueRef call) {
  size_t n;
  LLVMValueRef text = strip(LLVMGetOperand(call, 0));
  LLVMValueRef init = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
  return init && LLVMIsConstantString(init) ? LLVMGetAsString(init, &n) : NULL;
}

/* What is refused about the call i, and why. 0: nothing. */
static int is_refused(LLVMValueRef i, const char **what, const char **why) {
  size_t len = 0;
  LLVMValueRef f = LLVMGetCalledValue(i);
  const char *name = LLVMIsAFunction(f) ? LLVMGetValueName2(f, &len) : "";
  *what = plain_name(name);
  *why = why_refused(name, len);
  if (*why || !ins_calls(i, "simt_op_refused")) return *why != NULL;
  *what = literal(i);
  *why = "it is not supported";
  return *what != NULL;
}

static void print_refusal(Ins *in, LLVMValueRef kernel, LLVMValueRef i, const char *what, const char *why) {
  size_t shown;
  unsigned n = 0;
  const char *where = ins_function_name(in, kernel, &shown);
  LLVMMetadataRef loc = ins_user_frame(in, LLVMInstructionGetDebugLoc(i));
  LLVMMetadataRef file = loc ? LLVMDIScopeGetFile(LLVMDILocationGetScope(loc)) : NULL;
  const char *path = file ? LLVMDIFileGetFilename(file, &n) : "";
  fprintf(stderr, "%.*s:%u:%u: error: %s in kernel %.*s: %s\n", (int)n, path, loc ? LLVMDILocationGetLine(loc) : 0,
          loc ? LLVMDILocationGetColumn(loc) : 0, what, (int)shown, where, why);
}

int ins_refuse(Ins *in, LLVMValueRef kernel) {
  const char *what, *why;
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(kernel); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i))
      if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && is_refused(i, &what, &why)) {
        print_refusal(in, kernel, i, what, why);
        return -1;
      }
  return 0;
}
