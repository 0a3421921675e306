/* report_html_finding.c - one finding of the page: what is wrong in words, both sides in their source, values, case, commands. */
#include "class_text.h"
#include "finding.h"
#include "number.h"
#include "report_html.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 4, MAX_WIDTH = 300 };

static void add_pill(WfText *t, const char *kind, const char *text) {
  wf_text_add(t, "<span class=\"pill ");
  wf_html_add(t, kind);
  wf_text_add(t, "\">");
  wf_html_add(t, text);
  wf_text_add(t, "</span>");
}

static void add_name(WfText *t, const WfReportFinding *f) {
  wf_html_add(t, f->op ? f->op : f->program);
  if (f->op ? f->variant : f->kernel) wf_text_put(t, "/", 1);
  wf_html_add(t, f->op ? f->variant : f->kernel);
}

/* What the filter looks at. */
static void add_words(WfText *t, const WfReportFinding *f) {
  const char *const words[] = {f->class_name, wf_severity_name(f->severity), wf_report_state_name(f->state), f->op, f->variant, f->program,
                               f->kernel, f->message, f->here.file, f->other.file, f->here.function, f->object, f->id, f->outside ? "outside" : ""};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    wf_html_add(t, words[i]);
    wf_text_put(t, " ", 1);
  }
}

static const WfClassText *words_of(const WfReportFinding *f) { return f->is_between_operations ? wf_class_text_of_operations() : wf_class_text(f->cls); }

void wf_html_anchor(WfText *t, const WfReport *r, const WfReportFinding *f) {
  size_t n = 0;
  for (const WfReportFinding *k = r->findings; r->is_log && k < f; k++) n += strcmp(k->id, f->id) == 0;
  wf_text_add(t, "f-");
  wf_html_add(t, f->id);
  if (n) wf_text_add(t, "-%zu", n + 1);
}

static void add_head(WfText *t, const WfReport *r, const WfReportFinding *f, int open) {
  wf_text_add(t, "<details class=\"finding%s\" id=\"", f->counts ? " counts" : "");
  wf_html_anchor(t, r, f);
  wf_text_add(t, "\" data-text=\"");
  add_words(t, f);
  wf_text_add(t, "\"%s><summary><div><h3>", open ? " open" : "");
  wf_html_add(t, words_of(f)->title);
  if (f->object) {
    wf_text_add(t, ": <code>");
    wf_html_add(t, f->object);
    wf_html_add(t, f->element);
    wf_text_add(t, "</code>");
  }
  wf_text_add(t, "</h3><span class=\"who\">");
  add_name(t, f);
  wf_text_add(t, "</span><span class=\"pills\">");
  if (f->state != WF_STATE_FOUND) add_pill(t, wf_report_state_name(f->state), f->state == WF_STATE_MISSED ? "not seen again" : wf_report_state_name(f->state));
  add_pill(t, wf_severity_name(f->severity), wf_severity_name(f->severity));
  add_pill(t, "", f->class_name);
  if (f->outside) add_pill(t, "", "outside the contract");
  wf_text_add(t, "</span></div></summary>\n<div class=\"body\">\n");
}

/* ---- source ---- */

/* Blanks and tabs as far as the column, so that the mark stands right whatever the width of a tab. */
static void add_caret(WfText *t, const char *line, int64_t column) {
  int64_t len = (int64_t)strlen(line), n = column - 1;
  if (column < 1 || n > len || n > MAX_WIDTH) return;
  wf_text_add(t, "<span class=\"caret\"><i></i>");
  for (int64_t i = 0; i < n; i++)
    if (((unsigned char)line[i] & 0xc0) != 0x80) wf_text_put(t, line[i] == '\t' ? "\t" : " ", 1);
  wf_text_add(t, "^</span>");
}

static void add_line(WfText *t, const char *line, int64_t number, const char *kind) {
  size_t len = strlen(line);
  wf_text_add(t, "<span%s><i>%" PRId64 "</i>", kind, number);
  wf_html_add_n(t, line, len > MAX_WIDTH ? MAX_WIDTH : len);
  wf_text_add(t, "%s</span>", len > MAX_WIDTH ? "&#8230;" : "");
}

static void add_source(WfText *t, const WfReport *r, const WfReportSide *s) {
  WfReportSource source;
  if (!s->file || s->line < 1) return;
  wf_report_source_read(r, s->file, &source);
  if (wf_report_source_line(&source, s->line)) {
    wf_text_add(t, "<pre class=\"code\">");
    for (int64_t i = s->line - CONTEXT; i <= s->line + CONTEXT; i++) {
      const char *line = wf_report_source_line(&source, i);
      if (line) add_line(t, line, i, i == s->line ? " class=\"hit\"" : "");
      if (line && i == s->line) add_caret(t, line, s->column);
    }
    wf_text_add(t, "</pre>");
  } else {
    wf_text_add(t, "<p class=\"path soft\">%s</p>", source.text ? "The file has no such line any more." : "The source is not here.");
  }
  wf_report_source_free(&source);
}

static void add_place(WfText *t, const char *file, int64_t line, int64_t column) {
  wf_text_add(t, "<code>");
  wf_html_add(t, file ? file : "?");
  if (line) wf_text_add(t, ":%" PRId64, line);
  if (column) wf_text_add(t, ":%" PRId64, column);
  wf_text_add(t, "</code>");
}

static void add_frames(WfText *t, const WfReportSide *s) {
  if (!s->n_frames) return;
  wf_text_add(t, "<ul class=\"path\">");
  for (size_t i = 0; i < s->n_frames; i++) {
    wf_text_add(t, "<li>called from <code>");
    wf_html_add(t, s->frames[i].function ? s->frames[i].function : "?");
    wf_text_add(t, "</code> at ");
    add_place(t, s->frames[i].file, s->frames[i].line, s->frames[i].column);
    wf_text_add(t, "</li>");
  }
  wf_text_add(t, "</ul>");
}

static void add_triple(WfText *t, const char *before, int known, const uint32_t v[3]) {
  if (known) wf_text_add(t, "%s(%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", before, v[0], v[1], v[2]);
}

/* Of which launch the side is, and its line in host code, unless that is the side's own. */
static void add_launch_of(WfText *t, const WfReport *r, const WfReportSide *s) {
  if (!s->launch) return;
  wf_text_add(t, "<p class=\"launch\">in ");
  wf_html_add(t, s->launch);
  wf_text_add(t, "</p>");
  if (!s->launch_file || (s->file && s->line == s->launch_line && strcmp(s->file, s->launch_file) == 0)) return;
  const WfReportSide host = {.file = s->launch_file, .line = s->launch_line, .column = s->launch_column};
  add_source(t, r, &host);
}

static void add_side(WfText *t, const WfReport *r, const WfReportSide *s, const char *kind, const char *letter, const char *heading) {
  if (!s->function) return;
  wf_text_add(t, "<section class=\"side %s\"><header><b>%s</b>%s", kind, letter, heading);
  wf_html_add(t, s->access ? s->access : "here");
  add_triple(t, " by thread ", s->has_thread, s->thread);
  add_triple(t, " of block ", s->has_block, s->block);
  if (s->has_epoch) wf_text_add(t, ", after %" PRId64 " barrier%s", s->epoch, s->epoch == 1 ? "" : "s");
  wf_text_add(t, "<span class=\"place\">");
  add_place(t, s->file, s->line, s->column);
  wf_text_add(t, " in <code>");
  wf_html_add(t, s->function);
  wf_text_add(t, "</code></span></header>");
  add_source(t, r, s);
  add_frames(t, s);
  add_launch_of(t, r, s);
  wf_text_add(t, "</section>\n");
}

/* ---- facts ---- */

static void add_fact(WfText *t, const char *name, const char *value) {
  if (!value) return;
  wf_text_add(t, "<dt>%s</dt><dd>", name);
  wf_html_add(t, value);
  wf_text_add(t, "</dd>");
}

static void add_number(WfText *t, const char *name, double v) {
  char decimal[WF_NUMBER_SIZE], hex[WF_NUMBER_SIZE];
  wf_text_add(t, "<dt>%s</dt><dd class=\"num\">%s", name, wf_number_print_double(decimal, v));
  if (isfinite(v)) wf_text_add(t, " <span class=\"soft\">%s</span>", wf_number_print_hex(hex, v));
  wf_text_add(t, "</dd>");
}

static void add_values(WfText *t, const WfReportFinding *f) {
  if (!f->has_value) return;
  wf_text_add(t, "<dt>First bad element</dt><dd class=\"num\">%" PRId64 " of %" PRId64 ", row-major</dd>", f->index, f->n_elems);
  if (f->cls == SIMT_UNWRITTEN_OUTPUT) wf_text_add(t, "<dt>Got</dt><dd>nothing was written</dd>");
  else add_number(t, "Got", f->got);
  add_number(t, "Expected", f->expected);
  add_number(t, "Bound", f->bound);
  if (!isnan(f->ulp)) add_number(t, "ULP", f->ulp);
  wf_text_add(t, "<dt>Bad elements</dt><dd class=\"num\">%" PRId64 " of %" PRId64 "</dd>", f->n_bad, f->n_elems);
}

static void add_map(WfText *t, const WfReportFinding *f) {
  if (!f->map[0]) return;
  wf_text_add(t, "<dt>Map</dt><dd><pre class=\"map\">");
  for (int i = 0; i < WF_REPORT_MAP_ROWS && f->map[i]; i++) {
    wf_html_add(t, f->map[i]);
    wf_text_put(t, "\n", 1);
  }
  wf_text_add(t, "</pre><span class=\"soft small\"># bad, . good</span></dd>");
}

static void add_launch(WfText *t, const WfReportFinding *f) {
  if (!f->has_grid && !f->has_launch_block) return;
  wf_text_add(t, "<dt>Launch</dt><dd class=\"num\">");
  add_triple(t, "grid ", f->has_grid, f->grid);
  add_triple(t, f->has_grid ? ", block " : "block ", f->has_launch_block, f->launch_block);
  if (f->shared_bytes > 0) wf_text_add(t, ", %" PRId64 " bytes of shared memory", f->shared_bytes);
  wf_text_add(t, "</dd>");
}

static void add_object(WfText *t, const WfReportFinding *f) {
  if (!f->object) return;
  wf_text_add(t, "<dt>Object</dt><dd><code>");
  wf_html_add(t, f->object);
  wf_text_add(t, "</code>");
  if (f->element) {
    wf_text_add(t, ", element ");
    wf_html_add(t, f->element);
  }
  if (f->has_access) wf_text_add(t, ", %" PRId64 " byte%s at byte %" PRId64, f->size_bytes, f->size_bytes == 1 ? "" : "s", f->offset_bytes);
  wf_text_add(t, "</dd>");
}

static void add_history(WfText *t, const WfReportFinding *f) {
  add_fact(t, "First seen", f->first_seen);
  add_fact(t, "Last seen", f->last_seen);
  if (f->count > 0) {
    wf_text_add(t, "<dt>Times seen</dt><dd class=\"num\">");
    wf_html_count(t, f->count);
    wf_text_add(t, "</dd>");
  }
  wf_text_add(t, "<dt>Id</dt><dd><code>");
  wf_html_add(t, f->id);
  wf_text_add(t, "</code></dd>");
}

static void add_facts(WfText *t, const WfReportFinding *f) {
  wf_text_add(t, "<div class=\"cols\"><dl>");
  add_fact(t, f->severity == SIMT_MEANT ? "Why it is meant" : "Reason", f->reason);
  add_fact(t, "Outside", f->outside);
  add_object(t, f);
  add_values(t, f);
  add_map(t, f);
  add_fact(t, "Rule", f->rule);
  wf_text_add(t, "</dl><dl>");
  add_fact(t, "Kernel", f->kernel);
  add_launch(t, f);
  add_fact(t, "Scalars", f->scalars);
  add_fact(t, "Flavor", f->flavor && strcmp(f->flavor, "precise") != 0 ? f->flavor : NULL);
  add_fact(t, "Device", f->device);
  add_fact(t, "Seen by", f->tool);
  add_history(t, f);
  wf_text_add(t, "</dl></div>\n");
}

/* ---- the end ---- */

static void add_command(WfText *t, const char *command) {
  wf_text_add(t, "<div class=\"cmd\"><pre>");
  wf_html_add(t, command);
  wf_text_add(t, "</pre><button class=\"copy\">copy</button></div>\n");
}

/* Older files have no commands: of a case they follow from its path. */
static void add_commands(WfText *t, const WfReportFinding *f) {
  if (!f->replay && !f->emit && !f->case_path) return;
  wf_text_add(t, "<h4>See it again</h4>\n");
  if (f->replay || f->emit) {
    if (f->replay) add_command(t, f->replay);
    if (f->emit) add_command(t, f->emit);
    return;
  }
  WfText command = {0};
  wf_text_add(&command, "warpfuzz replay ");
  wf_text_add_quoted(&command, f->case_path);
  if (f->op && f->variant) wf_text_add(&command, " --variant %s/%s", f->op, f->variant);
  char *text = wf_text_take(&command);
  t->failed |= !text;
  if (text) add_command(t, text);
  free(text);
}

static void add_case(WfText *t, const WfReportFinding *f) {
  if (!f->case_path) return;
  wf_text_add(t, "<h4>Case</h4>\n");
  if (f->case_text) {
    wf_text_add(t, "<pre class=\"case\">");
    wf_html_add(t, f->case_text);
    wf_text_add(t, "</pre>\n");
  } else {
    wf_text_add(t, "<p class=\"soft small\">The case file is not here: ");
    wf_html_add(t, f->case_path);
    wf_text_add(t, "</p>\n");
  }
}

void wf_html_finding(WfText *t, const WfReport *r, const WfReportFinding *f, int open) {
  const WfClassText *words = words_of(f);
  int two = f->here.function && f->other.function;
  add_head(t, r, f, open);
  if (f->message) {
    wf_text_add(t, "<p class=\"message\">");
    wf_html_add(t, f->message);
    wf_text_add(t, ".</p>");
  }
  wf_text_add(t, "<p class=\"soft small\">%s", words->what);
  if (f->severity != SIMT_MEANT) wf_text_add(t, " %s", words->repair);
  wf_text_add(t, "</p>\n");
  if (f->here.function || f->other.function || f->writer.function) {
    wf_text_add(t, "<div class=\"sides\">");
    add_side(t, r, &f->here, "a", "A", "");
    add_side(t, r, &f->other, two ? "b" : "a", two ? "B" : "A", "");
    add_side(t, r, &f->writer, "w", "W", "last ");
    wf_text_add(t, "</div>\n");
  }
  wf_html_threads(t, f);
  add_facts(t, f);
  wf_text_add(t, "<div class=\"cols\"><div>");
  add_commands(t, f);
  wf_text_add(t, "</div><div>");
  add_case(t, f);
  wf_text_add(t, "</div></div>\n</div></details>\n");
}
