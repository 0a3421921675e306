/* copy_op.h - the op y = x over the engine's stand-in, and kernels that are plain C: one that is right, others that are wrong
 * or take their process down. It is the only one in wf_ops. */
#ifndef COPY_OP_H
#define COPY_OP_H
#include "../fuzz/select.h"

extern const WfOp copy_op;
extern const WfVariant copy_variants[];
enum { COPY_PLAIN, COPY_TAIL, COPY_RACE, COPY_WARNING, COPY_DEATH, COPY_ZEROS, COPY_TWICE }; /* their order */

enum { COPY_N_TARGETS = 4 };
extern const WfTarget copy_targets[COPY_N_TARGETS]; /* the first variants, which leave the process alone */

#endif
