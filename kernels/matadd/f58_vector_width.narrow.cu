// The kernels of f58_vector_width.published, where every row starts on 16 bytes.
#include "f58_vector_width.published.cu"
