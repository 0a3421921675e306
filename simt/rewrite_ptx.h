/* rewrite_ptx.h - one PTX instruction, and how its parts become C++. Internal to rewrite_ptx*.c.
 *
 * Functions that put something into `out` return 0, or -1: it is nothing that is known. */
#ifndef SIMT_REWRITE_PTX_H
#define SIMT_REWRITE_PTX_H
#include "rewrite_asm.h"
#include <string.h>

enum { MAX_PARTS = 12, MAX_ARGS = 8, MAX_WORD = 64, MAX_REGISTERS = 16 };

typedef char Word[MAX_WORD];

/* Declared by the statement itself: `.reg .u64 address`; as the variable simt_reg_address. */
typedef struct Registers {
  Word name[MAX_REGISTERS], variable[MAX_REGISTERS];
  size_t n;
} Registers;

/* One instruction. Operands as they stand there: `%0`, `[%1+4]`, `{%0, %1}`, `%laneid`, `7`. */
typedef struct Instruction {
  const SimtAsm *of;
  const Registers *registers;
  char text[256];
  Word part[MAX_PARTS]; /* of the opcode, at its dots */
  size_t n_parts;
  Word arg[MAX_ARGS];
  size_t n_args;
} Instruction;

typedef struct Pair {
  const char *ptx, *cxx;
} Pair;

/* What stands beside a name of PTX's in a table of n; NULL: it is not there. rewrite_ptx_read.c, and so on */
const char *simt_ptx_find(const Pair *p, size_t n, const char *ptx);
#define FIND(table, ptx) simt_ptx_find(table, sizeof table / sizeof table[0], ptx)

static inline void put(SimtText *out, const char *s) { simt_text_puts(out, s); }
static inline int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
const char *simt_ptx_skip_blanks(const char *s, const char *end);
/* s[0..n) without blanks at its ends; cut if it is long, and then no name of anything. */
void simt_ptx_set_word(Word w, const char *s, size_t n);
/* The pieces of s[0..n) between the characters `at` outside of brackets. -1: too many. */
int simt_ptx_split(const char *s, const char *end, char at, Word *piece, size_t max, size_t *n);
int simt_ptx_read_instruction(Instruction *in, const char *s, const char *end); /* 0, or -1: it is nothing that could be in the table */
int simt_ptx_has(const Instruction *in, const char *part);                     /* the opcode has it */
int simt_ptx_has_shared(const Instruction *in);
const char *simt_ptx_type_of(const char *part);            /* in C++; NULL: it is none */
const char *simt_ptx_last_type(const Instruction *in);     /* of the opcode's last part */
const char *simt_ptx_declared(const Instruction *in, const char *arg); /* the variable of a register of the statement's own, or NULL */
const char *simt_ptx_operand(const Instruction *in, const char *arg);  /* the variable of %0, %1 ... of the statement, or of such a register; or NULL */
int simt_ptx_put_source(const Instruction *in, const char *arg, SimtText *out); /* an expression for what an instruction reads */
/* `[%1+16]` as `address, 16`; of shared memory, which addresses of 32 bits are, as the generic address. */
int simt_ptx_put_address_in(const Instruction *in, const char *arg, int shared, SimtText *out);
int simt_ptx_put_address(const Instruction *in, const char *arg, SimtText *out); /* of shared memory where the opcode says so */
int simt_ptx_put_target(const Instruction *in, const char *arg, SimtText *out);  /* `x = ::simt::ptx::p_to<decltype(x)>(`: the value and a `)` follow */
int simt_ptx_members(const char *arg, Word *member, size_t *n);                  /* of `{%0, %1}`, or the one that stands alone */

/* rewrite_ptx_memory.c: the instructions of these names, and what goes with them */
int simt_ptx_put_load(const Instruction *in, SimtText *out);
int simt_ptx_put_store(const Instruction *in, SimtText *out);
int simt_ptx_put_atomic(const Instruction *in, SimtText *out); /* atom has a result, red has none */
int simt_ptx_put_fence(const Instruction *in, SimtText *out);
int simt_ptx_put_barrier(const Instruction *in, SimtText *out);
int simt_ptx_put_copies(const Instruction *in, SimtText *out); /* cp.async */
int simt_ptx_put_cvta(const Instruction *in, SimtText *out);

/* rewrite_ptx_values.c: likewise */
int simt_ptx_put_load_matrix(const Instruction *in, SimtText *out);
int simt_ptx_put_multiply(const Instruction *in, SimtText *out);
int simt_ptx_put_comparison(const Instruction *in, SimtText *out);
int simt_ptx_put_packing(const Instruction *in, SimtText *out);
int simt_ptx_put_listed(const Instruction *in, SimtText *out); /* one of simt_ptx.def */

#endif
