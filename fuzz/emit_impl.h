/* emit_impl.h - the parts of an emitted program, each added to the text by a function. */
#ifndef WF_EMIT_IMPL_H
#define WF_EMIT_IMPL_H
#include "emit.h"
#include "number.h"
#include "textbuf.h"

/* emit_text.c: host code. In the program's order; of two with different names one. */
extern const char wf_emit_begin[], wf_emit_common[];
extern const char wf_emit_small[], wf_emit_large[];     /* copies of the tensors on the host, or none */
extern const char wf_emit_shared[], wf_emit_no_shared[]; /* has the kernel shared memory? */
extern const char wf_emit_judge[];                      /* ends with main() */

/* emit_source.c: path of the variant's file below the folder of sources; the file, and those that it includes from the project in
 * their places. 0, or WF_EMIT_NO_SOURCE with a message. */
#define WF_EMIT_PATH_MAX 4352 /* of a folder and a file in it */
void wf_emit_source_name(const WfOp *op, const WfVariant *v, char out[WF_EMIT_PATH_MAX]);
int wf_emit_source(WfText *t, const char *sources, const char *name, char *err, size_t err_size);

/* emit_draw.c: functions that draw values, for a set of what wf_emit_draws() gives; the expression for one value, of element i (in column
 * col). Of 16-bit types the value need not be a number of the type yet. */
uint32_t wf_emit_draws(const WfFill *f, WfDtype type);
void wf_emit_draw(WfText *t, uint32_t draws, int on_device);
void wf_emit_drawn(WfText *t, const WfFill *f, WfDtype type, int tensor);
/* The text, with "@static" as it is to be: functions of the host, or of the device as well. */
void wf_emit_functions(WfText *t, const char *text, int on_device);

/* emit_elements.c: types of elements, in the order of the program. Of 16-bit types, their conversions; of float, those, and what is left in
 * memory; copies between host and device; how elements of the output are judged. */
int wf_emit_is_all_f32(const WfCase *c);
void wf_emit_elements(WfText *t, const WfCase *c);
void wf_emit_expected_head(WfText *t, const WfCase *c);
void wf_emit_floats(WfText *t, const WfCase *c);
void wf_emit_copies(WfText *t, const WfCase *c);
void wf_emit_right(WfText *t, const WfCase *c);

/* emit_values.c: the tensors and the values of the inputs. */
int wf_emit_is_large(const WfCase *c); /* too large for the program's host */
void wf_emit_values(WfText *t, const WfEmit *e, const WfGeometry *g);

/* emit_expected.c: elements of the output with the reference's values. 0; WF_EMIT_NO_MEMORY. */
int wf_emit_expected(WfText *t, WfRunner *r, const WfEmit *e, const WfGeometry *g);

/* emit_comment.c: the comment at the top; how often the program runs the kernel. */
void wf_emit_comment(WfText *t, const WfEmit *e, const WfGeometry *g);
int wf_emit_runs(const WfEmit *e, int has_shared);

/* A float or double as C++ reads it back exactly. Returns buf. */
const char *wf_emit_float(char buf[WF_NUMBER_SIZE], float v);
const char *wf_emit_double(char buf[WF_NUMBER_SIZE], double v);

#endif
