/* known_list.c - reads lists of known findings, and says which finding falls under a line. */
#define _POSIX_C_SOURCE 200809L
#include "known_list.h"
#include "select.h"
#include "suppress.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* The next word of *s, ended; "": there is none. */
static char *take_word(char **s) {
  char *word = *s + strspn(*s, " \t");
  char *end = word + strcspn(word, " \t");
  *s = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

/* "FILE:LINE" at s, before a blank: its length, with the number in *line; 0: it is none. */
static size_t place_length(const char *s, unsigned long *line) {
  size_t len = strcspn(s, " \t"), digits = 0;
  while (digits < len && s[len - 1 - digits] >= '0' && s[len - 1 - digits] <= '9') digits++;
  if (digits == 0 || digits > 9 || len < digits + 2 || s[len - 1 - digits] != ':') return 0;
  *line = strtoul(s + len - digits, NULL, 10);
  return len;
}

static const char *read_target(WfKnownLine *k, const char *word, char **rest) {
  const char *slash = strrchr(word, '/');
  if (!slash || slash == word || !slash[1]) return "neither an id of 16 hexadecimal digits nor OP/VARIANT";
  const char *cls = take_word(rest);
  if (simt_class_parse(cls, strlen(cls), &k->cls) != 0) return "no such class of findings (doc/CASE.md lists them)";
  k->target = strdup(word);
  if (!k->target) return "out of memory";
  *rest += strspn(*rest, " \t");
  size_t len = place_length(*rest, &k->line);
  if (len == 0) return NULL;
  size_t name = len;
  while ((*rest)[name - 1] != ':') name--;
  k->file = strndup(*rest, name - 1);
  *rest += len;
  return k->file ? NULL : "out of memory";
}

static int is_id(const char *word) { return strlen(word) == 16 && strspn(word, "0123456789abcdef") == 16; }

/* NULL, or what is wrong with the line. */
static const char *read_line(WfKnownLine *k, const char *path, int number, char *line) {
  char *word = take_word(&line);
  const char *wrong = NULL;
  char at[512];
  snprintf(at, sizeof at, "%.480s:%d", path, number);
  if (is_id(word)) k->id = strtoull(word, NULL, 16);
  else wrong = read_target(k, word, &line);
  if (wrong) return wrong;
  line += strspn(line, " \t");
  if (*line == '\0') return "the reason is missing";
  k->reason = strdup(line);
  k->at = strdup(at);
  return k->reason && k->at ? NULL : "out of memory";
}

static void free_line(WfKnownLine *k) {
  free(k->target);
  free(k->file);
  free(k->reason);
  free(k->at);
}

static const char *take_line(WfKnownList *list, const char *path, int number, char *line) {
  line[strcspn(line, "\r\n")] = '\0';
  const char *first = line + strspn(line, " \t");
  if (*first == '\0' || *first == '#') return NULL;
  WfKnownLine k = {0}, *more = realloc(list->line, (list->n + 1) * sizeof *more);
  if (!more) return "out of memory";
  list->line = more;
  const char *wrong = read_line(&k, path, number, line);
  if (wrong) free_line(&k);
  else list->line[list->n++] = k;
  return wrong;
}

int wf_known_load(WfKnownList *list, const char *path, char *err, size_t err_size) {
  FILE *f = fopen(path, "re");
  char *line = NULL;
  size_t room = 0;
  const char *wrong = NULL;
  int n = 0;
  ssize_t len;
  while (f && !wrong && (len = getline(&line, &room, f)) >= 0) {
    n++;
    wrong = strlen(line) == (size_t)len ? take_line(list, path, n, line) : "a NUL byte";
  }
  int unreadable = !f || ferror(f);
  if (unreadable) snprintf(err, err_size, "%.300s: %s", path, strerror(errno));
  else if (wrong) snprintf(err, err_size, "%.300s:%d: %s", path, n, wrong);
  free(line);
  if (f) fclose(f);
  return unreadable || wrong ? -1 : 0;
}

void wf_known_free(WfKnownList *list) {
  for (size_t i = 0; i < list->n; i++) free_line(&list->line[i]);
  free(list->line);
  *list = (WfKnownList){0};
}

/* ---- applying ---- */

static const char *text_of(const json_t *j, const char *prefix, const char *key) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", prefix, key);
  const char *text = json_string_value(json_object_get(j, name));
  return text ? text : "";
}

static int is_at(const WfKnownLine *k, const json_t *j, const char *prefix) {
  char name[64];
  snprintf(name, sizeof name, "%sline", prefix);
  return (unsigned long long)json_integer_value(json_object_get(j, name)) == k->line &&
         wf_path_ends(text_of(j, prefix, "file"), k->file, strlen(k->file));
}

/* Any of the places, and what they were called from. */
static int is_about(const WfKnownLine *k, const json_t *finding) {
  static const char *const sides[] = {"", "other_", "writer_"};
  for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
    char name[64];
    size_t n;
    json_t *frame;
    if (is_at(k, finding, sides[i])) return 1;
    snprintf(name, sizeof name, "%scall_path", sides[i]);
    json_array_foreach(json_object_get(finding, name), n, frame)
      if (is_at(k, frame, "")) return 1;
  }
  return 0;
}

static int falls_under(const WfKnownLine *k, const json_t *finding) {
  char name[WF_NAME_MAX];
  if (!k->target) {
    const char *id = text_of(finding, "", "id");
    return is_id(id) && strtoull(id, NULL, 16) == k->id;
  }
  snprintf(name, sizeof name, "%s/%s", text_of(finding, "", "op"), text_of(finding, "", "variant"));
  if (!wf_glob(k->target, name) || strcmp(text_of(finding, "", "class"), simt_class_name(k->cls)) != 0) return 0;
  return !k->file || is_about(k, finding);
}

const WfKnownLine *wf_known_find(const WfKnownList *list, const json_t *finding) {
  for (size_t i = 0; i < list->n; i++)
    if (falls_under(&list->line[i], finding)) return &list->line[i];
  return NULL;
}
