/* mutate.c - mutate FILE: lists what can be changed in a CUDA source, a line each: number, source line, what. mutate FILE N:
 * prints the source with change N made. For tests/mutants: faults of one token, as they are really made.
 *
 * barrier   a __syncthreads() or __syncwarp() statement is deleted
 * fence     a __threadfence() statement is deleted
 * guard     an if decides nothing: `if (c) return` never returns, any other if is always taken
 * bound     < becomes <=, <= becomes <, and the same for > and >=
 * identity  -INFINITY and -FLT_MAX become 0, 0 becomes 1
 * index     [e] becomes [(e) + 1]
 * stride    a loop's += e becomes += 2 * (e), >>= 1 becomes >>= 2, /= 2 becomes /= 4
 * rounding  (e + 31) / 32 becomes (e) / 32, and the same with other numbers, and with n - 1 and n
 * Sources are in house style: blanks around comparisons, none elsewhere around < and >. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Source {
  char *text;
  size_t len;
} Source;

/* Replace `len` bytes at `at` by `with`. */
typedef struct Change {
  const char *kind;
  size_t at, len;
  char with[400];
} Change;

static int read_source(const char *path, Source *s) {
  FILE *f = fopen(path, "rb");
  if (!f) return -1;
  s->text = malloc(1 << 20);
  s->len = s->text ? fread(s->text, 1, (1 << 20) - 1, f) : 0;
  fclose(f);
  if (!s->len) return -1;
  s->text[s->len] = '\0';
  return 0;
}

static int starts(const char *p, const char *word) { return !strncmp(p, word, strlen(word)); }

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Past a comment, a literal or a preprocessor line that begins here; else the same place. */
static size_t skip(const Source *s, size_t i) {
  const char *p = s->text + i, *end = NULL;
  if (starts(p, "//") || (*p == '#' && (!i || p[-1] == '\n'))) end = strchr(p, '\n');
  else if (starts(p, "/*")) end = strstr(p, "*/");
  else if (*p == '"') end = strchr(p + 1, '"');
  else return i;
  return end ? (size_t)(end - s->text) + 1 : s->len;
}

/* Length of "(...)" at p, or 0. */
static size_t parentheses(const char *p) {
  int depth = 0;
  for (size_t i = 0; p[i]; i++) {
    depth += (p[i] == '(') - (p[i] == ')');
    if (!depth) return i + 1;
  }
  return 0;
}

static int barrier(const char *p, Change *c) {
  int fence = starts(p, "__threadfence(");
  if (!fence && !starts(p, "__syncthreads(") && !starts(p, "__syncwarp(")) return 0;
  size_t name = strcspn(p, "("), n = name + parentheses(p + name);
  if (p[n] != ';') return 0;
  c->kind = fence ? "fence" : "barrier";
  c->len = n;
  c->with[0] = '\0';
  return 1;
}

static int leaves(const char *p) {
  p += strspn(p, " \n{");
  return starts(p, "return") || starts(p, "continue") || starts(p, "break");
}

static int guard(const char *p, Change *c) {
  if (!starts(p, "if (")) return 0;
  size_t n = parentheses(p + 3);
  if (!n || n > 300) return 0;
  c->kind = "guard";
  c->len = 3 + n;
  snprintf(c->with, sizeof c->with, "if (%s %.*s)", leaves(p + 3 + n) ? "false &&" : "true ||", (int)n, p + 3);
  return 1;
}

static int bound(const char *p, Change *c) {
  static const char *const pairs[][2] = {{" < ", " <= "}, {" <= ", " < "}, {" > ", " >= "}, {" >= ", " > "}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
    if (starts(p, pairs[k][0])) {
      c->kind = "bound";
      c->len = strlen(pairs[k][0]);
      strcpy(c->with, pairs[k][1]);
      return 1;
    }
  return 0;
}

static int identity(const char *p, char before, Change *c) {
  static const char *const pairs[][2] = {{"-INFINITY", "0.0f"}, {"-FLT_MAX", "0.0f"}, {"0.0f", "1.0f"}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
    if (starts(p, pairs[k][0]) && !is_word(before) && before != '.' && !is_word(p[strlen(pairs[k][0])])) {
      c->kind = "identity";
      c->len = strlen(pairs[k][0]);
      strcpy(c->with, pairs[k][1]);
      return 1;
    }
  return 0;
}

/* Does the statement up to `at` declare what follows, as in "__shared__ float tile[32][33]" or "float4 v[2]"? */
static int is_declaration(const Source *s, size_t at) {
  static const char *const words[] = {"__shared__", "extern", "static", "const",  "float",  "float2", "float4", "int",
                                      "unsigned",   "double", "char",   "size_t", "__half", "__half2", "volatile"};
  size_t from = at;
  while (from && !strchr(";{}()=", s->text[from - 1])) from--;
  from += strspn(s->text + from, " \n");
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (starts(s->text + from, words[k]) && !is_word(s->text[from + strlen(words[k])])) return 1;
  return 0;
}

static size_t brackets(const char *p) {
  int depth = 0;
  for (size_t i = 0; p[i] && p[i] != '\n'; i++) {
    depth += (p[i] == '[') - (p[i] == ']');
    if (!depth) return i + 1;
  }
  return 0;
}

static int index_by_one(const Source *s, size_t at, Change *c) {
  const char *p = s->text + at;
  size_t n = *p == '[' ? brackets(p) : 0;
  if (n < 3 || n > 300 || is_declaration(s, at) || !at || !(is_word(p[-1]) || p[-1] == ']' || p[-1] == ')')) return 0;
  c->kind = "index";
  c->len = n;
  snprintf(c->with, sizeof c->with, "[(%.*s) + 1]", (int)n - 2, p + 1);
  return 1;
}

/* Up to the parenthesis that closes a for. */
static int stride(const char *p, Change *c) {
  static const char *const pairs[][2] = {{" >>= 1", " >>= 2"}, {" /= 2", " /= 4"}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
    if (starts(p, pairs[k][0]) && p[strlen(pairs[k][0])] == ')') {
      c->kind = "stride";
      c->len = strlen(pairs[k][0]);
      strcpy(c->with, pairs[k][1]);
      return 1;
    }
  if (!starts(p, " += ")) return 0;
  size_t n = 4;
  for (int depth = 0; p[n] && p[n] != ';' && p[n] != '\n'; n++) {
    depth += (p[n] == '(') - (p[n] == ')');
    if (depth < 0) break;
  }
  if (p[n] != ')' || n > 200) return 0;
  c->kind = "stride";
  c->len = n;
  snprintf(c->with, sizeof c->with, " += 2 * (%.*s)", (int)n - 4, p + 4);
  return 1;
}

/* " + X) / Y" with X = Y - 1, both numbers, or X the text "Y - 1". */
static int rounding(const char *p, Change *c) {
  if (!starts(p, " + ")) return 0;
  size_t x = strcspn(p + 3, ")\n;"), n = 3 + x;
  if (p[n] != ')' || !starts(p + n, ") / ")) return 0;
  const char *y = p + n + 4;
  size_t len = 0;
  while (is_word(y[len]) || y[len] == '.') len++;
  int numbers = strspn(p + 3, "0123456789") == x && strtol(p + 3, NULL, 10) + 1 == strtol(y, NULL, 10);
  int texts = x == len + 4 && !strncmp(p + 3, y, len) && starts(p + 3 + len, " - 1");
  if (!len || !(numbers || texts)) return 0;
  c->kind = "rounding";
  c->len = n;
  c->with[0] = '\0';
  return 1;
}

/* The next change from *at on; *at moves behind its start. */
static int next_change(const Source *s, size_t *at, Change *c) {
  for (size_t i = *at, over; i < s->len; i = over > i ? over : i + 1) {
    over = skip(s, i);
    if (over > i) continue;
    const char *p = s->text + i;
    char before = i ? p[-1] : ' ';
    if ((!is_word(before) && (barrier(p, c) || guard(p, c))) || bound(p, c) || identity(p, before, c) ||
        index_by_one(s, i, c) || stride(p, c) || rounding(p, c)) {
      c->at = i;
      *at = i + 1;
      return 1;
    }
  }
  return 0;
}

static unsigned line_of(const Source *s, size_t at) {
  unsigned n = 1;
  for (size_t i = 0; i < at; i++) n += s->text[i] == '\n';
  return n;
}

static void print_listed(const Source *s, unsigned n, const Change *c) {
  size_t from = c->at, to = c->at;
  while (from && s->text[from - 1] != '\n') from--;
  while (to < s->len && s->text[to] != '\n') to++;
  from += strspn(s->text + from, " ");
  printf("%u %u %s %.*s\n", n, line_of(s, c->at), c->kind, (int)(to - from), s->text + from);
}

int main(int argc, char **argv) {
  Source s;
  Change c;
  unsigned long want = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
  if (argc < 2 || argc > 3 || read_source(argv[1], &s)) {
    fprintf(stderr, "usage: mutate FILE [N]\n");
    return 2;
  }
  unsigned n = 0;
  int made = 0;
  for (size_t at = 0; !made && next_change(&s, &at, &c);) {
    n++;
    if (!want) print_listed(&s, n, &c);
    else if (n == want) made = 1;
  }
  if (made) {
    fwrite(s.text, 1, c.at, stdout);
    fputs(c.with, stdout);
    fputs(s.text + c.at + c.len, stdout);
  }
  free(s.text);
  return want && !made;
}
