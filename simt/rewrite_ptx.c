/* rewrite_ptx.c - PTX instructions as calls of include/simt_ptx.h. */
#include "rewrite_ptx.h"
#include <stdio.h>
#include <stdlib.h>

/* Hints change nothing that a result depends on. */
static int is_hint(const Instruction *in) {
  static const char *const hints[] = {"griddepcontrol", "prefetch", "prefetchu", "applypriority", "pmevent", "setmaxnreg"};
  for (size_t k = 0; k < sizeof hints / sizeof hints[0]; k++)
    if (!strcmp(in->part[0], hints[k])) return 1;
  return 0;
}

static int put_instruction(const Instruction *in, SimtText *out) {
  const char *op = in->part[0];
  if (is_hint(in)) return put(out, "(void)0"), 0;
  if (!strcmp(op, "ld") || !strcmp(op, "ldu")) return simt_ptx_put_load(in, out);
  if (!strcmp(op, "st")) return simt_ptx_put_store(in, out);
  if (!strcmp(op, "atom") || !strcmp(op, "red")) return simt_ptx_put_atomic(in, out);
  if (!strcmp(op, "membar") || !strcmp(op, "fence")) return simt_ptx_put_fence(in, out);
  if (!strcmp(op, "bar") || !strcmp(op, "barrier")) return simt_ptx_put_barrier(in, out);
  if (!strcmp(op, "cp")) return simt_ptx_put_copies(in, out);
  if (!strcmp(op, "ldmatrix")) return simt_ptx_put_load_matrix(in, out);
  if (!strcmp(op, "mma")) return simt_ptx_put_multiply(in, out);
  if (!strcmp(op, "cvta")) return simt_ptx_put_cvta(in, out);
  if (!strcmp(op, "setp")) return simt_ptx_put_comparison(in, out);
  if (!strcmp(op, "trap") && in->n_parts == 1) return put(out, "__trap()"), 0;
  if (!strcmp(op, "brkpt") && in->n_parts == 1) return put(out, "__brkpt()"), 0;
  if (!strcmp(op, "nanosleep") && in->n_args == 1) {
    put(out, "__nanosleep(");
    int rc = simt_ptx_put_source(in, in->arg[0], out);
    put(out, ")");
    return rc;
  }
  if (!strcmp(op, "mov") && in->n_args == 2 && (in->arg[0][0] == '{' || in->arg[1][0] == '{')) return simt_ptx_put_packing(in, out);
  return simt_ptx_put_listed(in, out);
}

/* What is said of an instruction that is not known: its text, as a string. */
static void put_refusal(const char *text, SimtText *out) {
  put(out, "simt_op_refused(\"inline PTX '");
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') put(out, "\\");
    simt_text_put(out, is_blank(*text) ? " " : text, 1);
  }
  put(out, "'\", nullptr)");
}

/* `.reg .u64 a, b`: variables. 0; -1: it is something else. */
static int put_declaration(Registers *r, const char *s, const char *end, SimtText *out) {
  Word piece[MAX_REGISTERS], words[4];
  size_t n, n_words;
  if (end - s < 5 || strncmp(s, ".reg", 4) || !is_blank(s[4])) return -1;
  const char *type = simt_ptx_skip_blanks(s + 4, end), *names = type;
  while (names < end && !is_blank(*names)) names++;
  if (simt_ptx_split(type, names, '.', words, 4, &n_words) || n_words != 2 || simt_ptx_split(names, end, ',', piece, MAX_REGISTERS, &n)) return -1;
  const char *cxx = !strcmp(words[1], "pred") ? "bool" : simt_ptx_type_of(words[1]);
  for (size_t i = 0; i < n; i++) {
    const char *name = piece[i] + (piece[i][0] == '%' && piece[i][1] == '%');
    if (!cxx || !*name || r->n == MAX_REGISTERS || strlen(name) > MAX_WORD - 16 || strcspn(name, "<>$.") != strlen(name) || strchr(name + 1, '%')) return -1;
    memcpy(r->name[r->n], name, strlen(name) + 1);
    snprintf(r->variable[r->n], MAX_WORD, *name == '%' ? "simt_own_%.47s" : "simt_reg_%.47s", name + (*name == '%'));
    put(out, "[[maybe_unused]] "), put(out, cxx), put(out, " "), put(out, r->variable[r->n++]), put(out, "{}; ");
  }
  return 0;
}

/* `@p` and `@!p` in front of an instruction, as `if`. Behind it; s: there is none; NULL: none that is known. */
static const char *put_guard(const Instruction *in, const char *s, const char *end, SimtText *out) {
  Word name;
  const char *from = s + 1, *to;
  if (*s != '@') return s;
  int is_not = from < end && *from == '!';
  for (to = from += is_not; to < end && !is_blank(*to);) to++;
  simt_ptx_set_word(name, from, (size_t)(to - from));
  const char *variable = simt_ptx_declared(in, name);
  if (!variable) return NULL;
  put(out, is_not ? "if (!" : "if ("), put(out, variable), put(out, ") { ");
  return simt_ptx_skip_blanks(to, end);
}

/* 0, or -1: `out` is a refusal. */
static int put_statement(const SimtAsm *a, Registers *r, const char *s, const char *end, SimtText *out) {
  Instruction in = {.of = a, .registers = r};
  SimtText one = {0};
  if (!put_declaration(r, s, end, out)) return 0;
  const char *at = put_guard(&in, s, end, &one);
  int rc = !at || simt_ptx_read_instruction(&in, at, end) || put_instruction(&in, &one) ? -1 : 0;
  if (at && at != s) put(&one, "; }");
  if (rc) snprintf(in.text, sizeof in.text, "%.*s", (int)(end - s), s);
  if (rc) out->len = 0, put_refusal(in.text, out);
  else if (one.failed) out->failed = 1;
  else put(out, one.s), put(out, "; ");
  free(one.s);
  return rc;
}

/* Behind a comment at s, or s. */
static const char *behind_comment(const char *s, const char *end) {
  if (end - s < 2 || s[0] != '/') return s;
  if (s[1] == '/') {
    while (s < end && *s != '\n') s++;
  } else if (s[1] == '*') {
    for (s += 2; end - s >= 2 && (s[0] != '*' || s[1] != '/');) s++;
    s = end - s >= 2 ? s + 2 : end;
  }
  return s;
}

static int put_statements(const SimtAsm *a, const char *s, SimtText *out) {
  Registers registers = {.n = 0};
  for (const char *stop = s; *s; s = *stop ? stop + 1 : stop) {
    stop = s + strcspn(s, ";");
    while (s < stop && (is_blank(*s) || *s == '{' || *s == '}')) s++; /* scopes: names are those of the whole statement */
    if (s < stop && put_statement(a, &registers, s, stop, out)) return -1;
  }
  return 0;
}

int simt_rewrite_ptx(const SimtAsm *a, SimtText *out) {
  SimtText clean = {0}; /* without comments */
  const char *end = a->code.s + a->code.len;
  int rc = -1;
  for (const char *s = a->code.s; s < end;) {
    const char *q = behind_comment(s, end);
    if (q == s) simt_text_put(&clean, s++, 1);
    else s = q;
  }
  put(&clean, "");
  if (clean.failed) out->failed = 1;
  else if (a->is_opaque) put_refusal("made by macros", out);
  else rc = put_statements(a, clean.s, out);
  free(clean.s);
  return rc;
}
