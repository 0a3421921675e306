// The kernel of serial_row.published, for rows of finite numbers.
#include "serial_row.published.cu"
