/* instrument_refuse.c - what a kernel says about its launches, and what it may not call. */
#include "instrument.h"
#include <stdio.h>
#include <string.h>

static LLVMValueRef strip(LLVMValueRef c) {
  while (LLVMIsAConstantExpr(c)) c = LLVMGetOperand(c, 0);
  return c;
}

static const char *string_of(LLVMValueRef text, size_t *len) {
  LLVMValueRef init = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
  *len = 0;
  return init && LLVMIsConstantString(init) ? LLVMGetAsString(init, len) : "";
}

/* What a macro of the shim has annotated the kernel with, {function, text, file, line, arguments}; NULL: nothing of that name. */
static LLVMValueRef annotation(const Ins *in, LLVMValueRef kernel, const char *name) {
  LLVMValueRef all = LLVMGetNamedGlobal(in->mod, "llvm.global.annotations");
  if (!all) return NULL;
  all = LLVMGetInitializer(all);
  for (int i = 0; i < LLVMGetNumOperands(all); i++) {
    size_t len;
    LLVMValueRef row = LLVMGetOperand(all, (unsigned)i);
    if (LLVMGetNumOperands(row) < 5 || strip(LLVMGetOperand(row, 0)) != kernel) continue;
    const char *text = string_of(strip(LLVMGetOperand(row, 1)), &len);
    if (ins_starts_with(text, len, name)) return row;
  }
  return NULL;
}

/* An argument of an annotation; `otherwise` if it has not so many. */
static uint64_t argument(LLVMValueRef row, int i, uint64_t otherwise) {
  LLVMValueRef args = row ? strip(LLVMGetOperand(row, 4)) : NULL;
  LLVMValueRef init = args && LLVMIsAGlobalVariable(args) ? LLVMGetInitializer(args) : NULL;
  LLVMValueRef value = init && LLVMGetNumOperands(init) > i ? LLVMGetOperand(init, (unsigned)i) : NULL;
  return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : otherwise;
}

/* The first argument of __launch_bounds__; 0: none. */
uint64_t ins_launch_bounds(Ins *in, LLVMValueRef kernel) { return argument(annotation(in, kernel, "simt_bounds"), 0, 0); }

/* Clusters of one block are none. */
static int has_clusters(const Ins *in, LLVMValueRef kernel) {
  LLVMValueRef row = annotation(in, kernel, "simt_cluster");
  return argument(row, 0, 1) != 1 || argument(row, 1, 1) != 1 || argument(row, 2, 1) != 1;
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

/* Of the kernel itself, not of what it does. */
static void print_clusters(Ins *in, LLVMValueRef kernel) {
  size_t shown, n;
  const char *where = ins_function_name(in, kernel, &shown);
  LLVMValueRef row = annotation(in, kernel, "simt_cluster"), line = LLVMGetOperand(row, 3);
  const char *path = string_of(strip(LLVMGetOperand(row, 2)), &n);
  fprintf(stderr, "%s:%llu: error: __cluster_dims__ of kernel %.*s: thread block clusters are not modelled by the engine\n", n ? path : "",
          LLVMIsAConstantInt(line) ? LLVMConstIntGetZExtValue(line) : 0, (int)shown, where);
}

/* Nobody here launches the kernel: if somebody elsewhere does, it ends there with the reason. */
static void refuse_later(Ins *in, LLVMValueRef at, const char *what, const char *why) {
  char text[160];
  snprintf(text, sizeof text, "%.100s: %s", what, why);
  ins_before(in, at);
  LLVMValueRef a[2] = {ins_string(in, text, strlen(text)), LLVMConstNull(in->ptr)};
  ins_call(in, "simt_op_refused", LLVMVoidTypeInContext(in->ctx), a, 2);
}

int ins_refuse(Ins *in, LLVMValueRef kernel) {
  const char *what, *why;
  int reached = -1; /* not known yet */
  if (has_clusters(in, kernel)) {
    if ((reached = ins_is_reached(in, kernel))) print_clusters(in, kernel);
    if (reached) return -1;
    refuse_later(in, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)), "__cluster_dims__", "thread block clusters are not modelled by the engine");
  }
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(kernel); bb; bb = LLVMGetNextBasicBlock(bb))
    for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
      if ((!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) || !is_refused(i, &what, &why)) continue;
      if (reached < 0) reached = ins_is_reached(in, kernel);
      if (reached) {
        print_refusal(in, kernel, i, what, why);
        return -1;
      }
      if (!ins_calls(i, "simt_op_refused")) refuse_later(in, i, what, why);
    }
  return 0;
}
