/* check_plan.h - `warpfuzz check` in parts: the contract from the options, the program from the contract. */
#ifndef WF_CHECK_PLAN_H
#define WF_CHECK_PLAN_H
#include "op_spec.h"
#include "options.h"
#include "suppress.h"
#include "toolchain.h"

enum { WF_CHECK_NAME = 64, WF_CHECK_PATH = 4400, WF_CHECK_AXIS = 320, WF_CHECK_MESSAGE = 1024 };

typedef struct WfCheckPlan {
  const WfOptions *o;
  const char *command;      /* what was typed, quoted */
  WfToolchain tools;
  const WfOp *op;           /* one of warpfuzz's, or that of the spec */
  int has_spec;
  WfOpSpec spec;
  char name[WF_CHECK_NAME]; /* of the variant: the kernel's */
  WfVariant v;              /* without entry; texts that are not the options' lie in the next ones */
  char block[3][WF_CHECK_AXIS], grid[3][WF_CHECK_AXIS];
  char requires[4096];
  char scalar[WF_MAX_SCALARS][WF_CHECK_AXIS]; /* "eps == 1e-5": assumed, since the statement passes none; "": it does */
  int is_aligned;           /* 1: tensors begin where cudaMalloc's do */
  int own_geometry;         /* 1: the statement decides on grid or block, and how is not to be read in it */
  WfSuppressions known;
  char dir[WF_CHECK_PATH];  /* private folder for what is built */
} WfCheckPlan;

/* Sets op, name, v and what they point to, from the options. 0; -1: wrong usage, one line in err. Contracts that no case is within are
 * told apart: -2. */
int wf_check_contract(WfCheckPlan *p, char *err, size_t err_size);

/* WfVariant.values of --finite: FLT_MAX itself is what a contract without a limit has. */
double wf_check_most_finite(void);

/* Lines that say what is assumed of the kernel, each with its end (check_contract_text.c). */
void wf_check_contract_text(const WfCheckPlan *p, WfText *t);

/* The program's tables as C source: its op and variant, with these flags besides; WfCheckInfo; the table of entries for a device, if
 * it is to have one. */
void wf_check_tables(const WfCheckPlan *p, uint32_t flags, WfText *t);

/* Compiles and links the program to `path`. What is wrong with the user's code is printed to stderr as its compiler says it. Returns an
 * exit status: 0; 2: the code does not compile; 77: a tool is missing; 99, with a message printed. */
int wf_check_build(WfCheckPlan *p, const char *path);

/* Which of the flags WF_FAST_EXP and WF_FAST_MATH the calls of an object file ask for: those to fast intrinsics, of which the engine
 * has models. 0 or more; -1: it cannot be read. */
int wf_check_fast_calls(const char *object);

#endif
