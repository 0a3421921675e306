// The kernel of f52_steps.published, for rows of whole steps.
#include "f52_steps.published.cu"
