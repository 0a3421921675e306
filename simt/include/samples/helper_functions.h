/* helper_functions.h - what programs know from NVIDIA's samples by this name: the helpers beside it. */
#ifndef SIMT_HELPER_FUNCTIONS_H
#define SIMT_HELPER_FUNCTIONS_H
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#include <algorithm>
#include <assert.h>
#include <fstream>
#include <iostream>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

#endif
