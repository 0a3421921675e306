/* launch_text.c - takes a launch statement apart. Literals and comments do not occur in what it is made for; quotes are stepped over. */
#include "launch_text.h"
#include <ctype.h>
#include <string.h>

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const char *skip_quoted(const char *s) {
  char quote = *s++;
  while (*s && *s != quote)
    s += *s == '\\' && s[1] ? 2 : 1;
  return *s ? s + 1 : s;
}

int wf_launch_text_has(const char *s, const char *name) {
  size_t n = strlen(name);
  for (char before = ' '; *s; before = *s++)
    if (strncmp(s, name, n) == 0 && !is_word(before) && before != '.' && !is_word(s[n]))
      return 1;
  return 0;
}

/* From s, the first of `ends` outside of brackets, or the end of the text. */
static const char *find_outside(const char *s, const char *ends) {
  int depth = 0;
  while (*s) {
    if (*s == '"' || *s == '\'') {
      s = skip_quoted(s);
      continue;
    }
    if (depth == 0 && strchr(ends, *s))
      return s;
    depth += strchr("([{", *s) ? 1 : strchr(")]}", *s) && depth > 0 ? -1 : 0;
    s++;
  }
  return s;
}

/* [s, end) without the blanks around it; "": too long. */
static void copy(char out[WF_LAUNCH_TEXT], const char *s, const char *end) {
  while (s < end && isspace((unsigned char)*s))
    s++;
  while (s < end && isspace((unsigned char)end[-1]))
    end--;
  size_t n = (size_t)(end - s);
  n = n < WF_LAUNCH_TEXT ? n : 0;
  memcpy(out, s, n);
  out[n] = '\0';
}

/* The arguments of dim3(...) or { ... }, or the expression itself. */
static void take_axes(char out[3][WF_LAUNCH_TEXT], const char *s, const char *end) {
  char whole[WF_LAUNCH_TEXT];
  copy(whole, s, end);
  const char *in = whole;
  if (strncmp(in, "dim3", 4) == 0 && !is_word(in[4])) {
    in += 4;
    in += strspn(in, " \t");
  }
  const char *close = *in == '(' || *in == '{' ? find_outside(in + 1, ")}") : in;
  int is_list = *in == '{' || (*in == '(' && in != whole);
  if (!is_list || close[0] == '\0' || close[1 + strspn(close + 1, " \t")] != '\0') {
    strcpy(out[0], whole);
    return;
  }
  for (int axis = 0; axis < 3 && in < close; axis++) {
    const char *next = find_outside(in + 1, ",)}");
    copy(out[axis], in + 1, next);
    in = next;
  }
}

/* The name that ends in front of `end`, blanks and one list of template arguments between. */
static void take_name(char out[WF_LAUNCH_TEXT], const char *s, const char *end) {
  while (end > s && isspace((unsigned char)end[-1]))
    end--;
  if (end > s && end[-1] == '>') {
    int depth = 0;
    do {
      end--;
      depth += *end == '>' ? 1 : *end == '<' ? -1 : 0;
    } while (end > s && depth > 0);
    while (end > s && isspace((unsigned char)end[-1]))
      end--;
  }
  const char *start = end;
  while (start > s && is_word(start[-1]))
    start--;
  copy(out, start, end);
}

static const char *config_end(const char *s) {
  int depth = 0;
  for (; *s; s++) {
    if (depth == 0 && strncmp(s, ">>>", 3) == 0)
      return s;
    depth += strchr("([{", *s) ? 1 : strchr(")]}", *s) ? -1 : 0;
  }
  return s;
}

/* Between <<< and >>>; longer ones than anybody writes stay unread. */
static void take_config(WfLaunchText *t, const char *s) {
  char config[4 * WF_LAUNCH_TEXT];
  size_t n = (size_t)(config_end(s) - s);
  if (n >= sizeof config)
    return;
  memcpy(config, s, n);
  config[n] = '\0';
  for (const char *at = config;;) {
    const char *next = find_outside(at, ",");
    if (t->n_config < 2)
      take_axes(t->n_config ? t->block : t->grid, at, next);
    t->n_config++;
    if (*next == '\0')
      return;
    at = next + 1;
  }
}

void wf_launch_text_read(WfLaunchText *out, const char *statement) {
  memset(out, 0, sizeof *out);
  const char *first = strstr(statement, "<<<");
  for (const char *s = first; s; s = strstr(s + 3, "<<<"))
    out->n_launches++;
  out->uses_grid = wf_launch_text_has(statement, "grid");
  out->uses_block = wf_launch_text_has(statement, "block");
  out->uses_shared = wf_launch_text_has(statement, "shared");
  const char *name_end = first ? first : statement + strcspn(statement, "(");
  take_name(out->name, statement, name_end);
  if (first)
    take_config(out, first + 3);
}
