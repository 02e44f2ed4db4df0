/* rows.h - the files of this floor say "rows.h"; see store/rows.h. */
#pragma once
#include "store/rows.h"
