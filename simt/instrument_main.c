/* instrument_main.c - simt-instrument [--fastmath] [--root FUNCTION]... --shim-dir DIR [--meant LIST] -o OUT.bc IN.bc */
#include "instrument.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, const char *why) {
  fprintf(stderr, "simt-instrument: %s: %s\n", what, why ? why : "failed");
  return 2;
}

static void init_types(Ins *in) {
  in->b = LLVMCreateBuilderInContext(in->ctx);
  in->i1 = LLVMInt1TypeInContext(in->ctx);
  in->i8 = LLVMInt8TypeInContext(in->ctx);
  in->i16 = LLVMInt16TypeInContext(in->ctx);
  in->i32 = LLVMInt32TypeInContext(in->ctx);
  in->i64 = LLVMInt64TypeInContext(in->ctx);
  in->ptr = LLVMPointerType(in->i8, 0);
  in->site_type = LLVMStructCreateNamed(in->ctx, "simt.site");
  LLVMTypeRef f[7] = {in->ptr, in->ptr, in->ptr, in->i32, in->i16, in->i8, in->i8};
  LLVMStructSetBody(in->site_type, f, 7, 0);
}

static int passes(Ins *in, const char *names) {
  LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
  LLVMErrorRef e = LLVMRunPasses(in->mod, names, NULL, o);
  LLVMDisposePassBuilderOptions(o);
  return e ? fail("passes", LLVMGetErrorMessage(e)) : 0;
}

/* Of the shim there is nothing to see but what was inlined into user code, and there instruction by instruction. */
static int instrument_functions(Ins *in, LLVMValueRef last) {
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetFirstBasicBlock(f) && ins_signed(in, f)) return -1;
    if (LLVMGetFirstBasicBlock(f) && ins_is_user_function(in, f)) {
      ins_updates(in, f);
      ins_unset(in, f);
      ins_ops(in, f);
      ins_host_places(in, f);
      ins_indices(in, f);
      ins_arithmetic(in, f);
      ins_accesses(in, f);
      ins_guards(in, f);
      ins_barriers(in, f);
      ins_coverage(in, f);
    }
    if (f == last) break; /* declarations of the runtime follow */
  }
  return 0;
}

/* A function the inliner left (recursion, function pointers) checks the stack on entry. */
static void guard_entries(Ins *in, LLVMValueRef last) {
  for (LLVMValueRef f = LLVMGetFirstFunction(in->mod); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetFirstBasicBlock(f)) {
      LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
      LLVMMetadataRef sp = LLVMGetSubprogram(f);
      if (ins_is_user_function(in, f)) {
        LLVMPositionBuilderBefore(in->b, at);
        ins_mark(in, "simt_enter", LLVMDIBuilderCreateDebugLocation(in->ctx, LLVMDISubprogramGetLine(sp), 0, sp, NULL));
      }
    }
    if (f == last) break;
  }
}

/* Built-in variables that are the same all over a launch, and what locals begin with: until now a call without arguments, by which expressions can be
 * compared; from here on the callback of simt_hot.h. */
static void inline_builtins(Ins *in) {
  static const char *const name[] = {"block_dim_x", "block_dim_y", "block_dim_z", "grid_dim_x", "grid_dim_y", "grid_dim_z",
                                     "begin_4",     "begin_8"};
  for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
    char call[32], body[32];
    snprintf(call, sizeof call, "simt_%s", name[i]);
    snprintf(body, sizeof body, "simt_hot_%s", name[i]);
    LLVMValueRef from = LLVMGetNamedFunction(in->mod, call), to = LLVMGetNamedFunction(in->mod, body);
    if (from && to) LLVMReplaceAllUsesWith(from, to);
  }
}

/* The same for a thread, whatever happens: may be computed before a loop that uses them, and before what may not return. */
static void speculate_builtins(Ins *in) {
  static const char *const name[] = {"simt_thread_idx_x", "simt_thread_idx_y", "simt_thread_idx_z", "simt_block_idx_x",
                                     "simt_block_idx_y",  "simt_block_idx_z",  "simt_lane_id"};
  static const char *const attribute[] = {"speculatable", "willreturn"};
  for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
    LLVMValueRef f = LLVMGetNamedFunction(in->mod, name[i]);
    for (size_t k = 0; f && k < sizeof attribute / sizeof attribute[0]; k++) {
      unsigned kind = LLVMGetEnumAttributeKindForName(attribute[k], strlen(attribute[k]));
      LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(in->ctx, kind, 0));
    }
  }
}

/* simt_op_shfl(mode, mask, bits, arg, width, site) with a mode and the whole width as constants has short ways. */
static void shorten_shuffle(Ins *in, LLVMValueRef call) {
  static const char *const name[] = {"simt_shfl_idx", "simt_shfl_up", "simt_shfl_down", "simt_shfl_xor"};
  LLVMValueRef mode = LLVMGetOperand(call, 0), width = LLVMGetOperand(call, 4);
  if (!LLVMIsAConstantInt(mode) || !LLVMIsAConstantInt(width) || LLVMConstIntGetZExtValue(width) != 32) return;
  ins_before(in, call);
  LLVMValueRef args[4] = {LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), LLVMGetOperand(call, 3), LLVMGetOperand(call, 5)};
  LLVMReplaceAllUsesWith(call, ins_call(in, name[LLVMConstIntGetZExtValue(mode) & 3], in->i64, args, 4));
  LLVMInstructionEraseFromParent(call);
}

static void shorten_shuffles(Ins *in) {
  LLVMValueRef f = LLVMGetNamedFunction(in->mod, "simt_op_shfl");
  for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL, next; u; u = next) {
    next = LLVMGetNextUse(u);
    if (LLVMIsACallInst(LLVMGetUser(u)) && LLVMGetCalledValue(LLVMGetUser(u)) == f) shorten_shuffle(in, LLVMGetUser(u));
  }
}

static int write_module(Ins *in, const char *output) { return LLVMWriteBitcodeToFile(in->mod, output) ? fail(output, "cannot write") : 0; }

static int run(Ins *in, const char *output) {
  init_types(in);
  ins_arguments(in);
  ins_unset_starts(in);
  ins_mark_inline(in);
  if (passes(in, "always-inline,function(mem2reg)")) return 2;
  if (in->fastmath) ins_fastmath(in);
  ins_var_init(in);
  LLVMValueRef last = LLVMGetLastFunction(in->mod);
  if (instrument_functions(in, last)) return 2;
  ins_forget_types(in);
  guard_entries(in, last);
  ins_coverage_finish(in);
  if (ins_variables(in, last)) return fail("a __device__ variable", "used in a way that is not supported");
  if (ins_shared(in)) return 2;
  if (ins_kernels(in)) return 2;
  inline_builtins(in);
  speculate_builtins(in);
  shorten_shuffles(in);
  if (passes(in, "function(sroa)")) return 2; /* what is left of locals, the halves of unions and bit casts, in registers too */
  ins_rounds(in);
  if (in->yields) ins_yield(in);
  char *msg = NULL;
  if (LLVMVerifyModule(in->mod, LLVMReturnStatusAction, &msg)) return fail("verify", msg);
  return write_module(in, output);
}

typedef struct Arguments {
  const char **inputs, **roots; /* room for all arguments */
  int n_inputs;
  const char *output, *meant, *source;
  int pack, relocatable;
} Arguments;

static const char usage[] = "simt-instrument [--fastmath] [--yields] [--root FUNCTION]... --shim-dir DIR [--meant LIST] -o OUT.bc IN.bc...\n"
                            "       simt-instrument --pack [--source NAME] [--relocatable] [--fastmath] [--meant LIST] -o OUT.bc IN.bc";

static int parse(Ins *in, Arguments *a, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "-o") && i + 1 < argc) a->output = argv[++i];
    else if (!strcmp(argv[i], "--shim-dir") && i + 1 < argc) in->shim_dir = argv[++i];
    else if (!strcmp(argv[i], "--meant") && i + 1 < argc) a->meant = argv[++i];
    else if (!strcmp(argv[i], "--source") && i + 1 < argc) a->source = argv[++i];
    else if (!strcmp(argv[i], "--root") && i + 1 < argc) a->roots[in->n_roots++] = argv[++i];
    else if (!strcmp(argv[i], "--fastmath")) in->fastmath = 1;
    else if (!strcmp(argv[i], "--yields")) in->yields = 1;
    else if (!strcmp(argv[i], "--pack")) a->pack = 1;
    else if (!strcmp(argv[i], "--relocatable")) a->relocatable = 1;
    else if (argv[i][0] != '-') a->inputs[a->n_inputs++] = argv[i];
    else return fail(argv[i], "unexpected argument");
  }
  return a->n_inputs && a->output && (!a->pack || a->n_inputs == 1) ? 0 : fail("usage", usage);
}

int main(int argc, char **argv) {
  Ins in = {.ctx = LLVMContextCreate(), .shim_dir = ""};
  const size_t room = sizeof *(Arguments){0}.inputs * (size_t)(argc + 1);
  Arguments a = {.inputs = malloc(room), .roots = malloc(room)};
  if (!a.inputs || !a.roots) return fail("memory", "there is none");
  in.root = a.roots;
  int status = parse(&in, &a, argc, argv);
  if (!status && ((a.meant && ins_meant_read(&in, a.meant)) || ins_join(&in, a.inputs, a.n_inputs))) status = 2;
  if (!status && a.pack) ins_pack(&in, a.relocatable, a.source ? a.source : a.inputs[0]);
  if (!status) status = a.pack ? write_module(&in, a.output) : run(&in, a.output);
  free(a.inputs);
  free(a.roots);
  return status;
}
