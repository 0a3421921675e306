// The kernel of tree.published, for data without NaN.
#include "tree.published.cu"
