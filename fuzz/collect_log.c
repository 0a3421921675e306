/* collect_log.c - the last state of findings.jsonl: lines of earlier campaigns in the same directory stay, but for
 * findings that were found again. */
#define _POSIX_C_SOURCE 200809L
#include "collect.h"
#include "json_lines.h"
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The value of "id" in a JSON line of ours, with its length; NULL: none. */
static const char *line_id(const char *line, size_t *len) {
  static const char key[] = "\"id\":\"";
  const char *at = strstr(line, key);
  if (!at) return NULL;
  at += sizeof key - 1;
  *len = strcspn(at, "\"");
  return at;
}

static int is_kept(const WfCollector *c, const char *line) {
  size_t len, kept_len;
  const char *id = line_id(line, &len);
  for (size_t i = 0; id && i < c->n_kept; i++) {
    const char *kept = c->kept[i].json ? line_id(c->kept[i].json, &kept_len) : NULL;
    if (kept && kept_len == len && memcmp(kept, id, len) == 0) return 1;
  }
  return 0;
}

typedef struct Others {
  const WfCollector *collector;
  FILE *out;
} Others;

/* Of others. One that a crash cut off is none, and would spoil the file for whoever reads it. */
static int copy_line(void *arg, json_t *line, const char *text, size_t len) {
  const Others *o = arg;
  (void)line;
  if (!is_kept(o->collector, text)) fwrite(text, 1, len, o->out);
  return 0;
}

/* Cases as they were found, which shrunk ones have taken the place of: the lines name those now. */
static void drop_superseded(WfCollector *c) {
  for (size_t i = 0; i < c->n_kept; i++) {
    char *old = c->kept[i].logged;
    c->kept[i].logged = NULL;
    if (old) wf_collect_drop(c, old);
    free(old);
  }
}

static void put_kept(FILE *f, const WfKept *k, int *failed) {
  char *line = k->json ? wf_history_line(k->json, &k->history, wf_kept_state(k), k->listed ? k->listed->reason : NULL) : NULL;
  *failed |= k->json && !line;
  fputs(line ? line : "", f);
  free(line);
}

int wf_collect_save(WfCollector *c, char *err, size_t err_size) {
  char path[4096], *text = NULL;
  size_t len;
  if (c->n_kept == 0) return 0;
  snprintf(path, sizeof path, "%s/findings.jsonl", c->plan->out);
  FILE *f = open_memstream(&text, &len);
  Others others = {c, f};
  int rc = f ? wf_json_lines(path, copy_line, &others, NULL) : -1, failed = 0;
  const char *why = rc == WF_LINES_UNREADABLE ? strerror(errno) : "out of memory";
  for (size_t i = 0; f && i < c->n_kept; i++) put_kept(f, &c->kept[i], &failed);
  if (f && (ferror(f) | fclose(f) | failed)) rc = -1;
  if (rc != 0) snprintf(err, err_size, "%s: %s", path, why);
  else rc = wf_file_write(c->plan->out, "findings.jsonl", text, len, err, err_size);
  free(text);
  return rc == 0 ? 0 : -1;
}

int wf_collect_finish(WfCollector *c, char *err, size_t err_size) {
  int rc = wf_collect_save(c, err, err_size);
  if (rc == 0) drop_superseded(c);
  return rc;
}
