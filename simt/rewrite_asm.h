/* rewrite_asm.h - inline PTX becomes calls of the shim's functions (include/simt_ptx.h):
 *
 *   asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p))
 *   ->  ({ auto simt_asm1 = (p); ::simt::ptx::Plain<decltype((v))> simt_asm0; simt_asm0 = ...load(simt_asm1, 0)...; (v) = simt_asm0; })
 *
 * What simt_ptx.def does not list becomes a call of simt_op_refused(), which simt-instrument refuses where a kernel reaches it. A statement
 * with operands that PTX does not have (x86's, in host code) stays as it is. */
#ifndef SIMT_REWRITE_ASM_H
#define SIMT_REWRITE_ASM_H
#include "rewrite_expr.h"

enum { SIMT_ASM_OPERANDS = 30 }; /* as many as compilers take */

/* Text that grows. */
typedef struct SimtText {
  char *s;
  size_t len, cap;
  int failed; /* no memory */
} SimtText;
void simt_text_put(SimtText *t, const char *s, size_t len);
void simt_text_puts(SimtText *t, const char *s);

/* One asm statement: its template, escapes resolved, and the text of its operands. */
typedef struct SimtAsm {
  SimtText code;
  SimtText operand[SIMT_ASM_OPERANDS];
  int is_output[SIMT_ASM_OPERANDS], is_input[SIMT_ASM_OPERANDS];
  size_t n_operands;
  int is_opaque; /* the template is not made of string literals alone */
} SimtAsm;

/* The asm statement that begins at token i of v: 1, with its replacement in *out (malloc'ed) and its last token in *last; 0: there is
 * none to be replaced; -2: no memory. */
int simt_rewrite_asm(const SimtView *v, size_t i, char **out, size_t *last);

/* Statements for the instructions of a, in *out, which is empty; operand k is the variable simt_asm<k>. 0; -1: an expression that
 * refuses them. rewrite_ptx.c */
int simt_rewrite_ptx(const SimtAsm *a, SimtText *out);

#endif
