/* migration_files.h - the files of migrate.h, read and judged. Blocks: it is
 * for the start of a program. */
#pragma once
#include "db/migrate.h"

/* Fills list and n (in keep) and texts (in here). An error has a sentence. */
enum err migration_files_read(struct migrate *m, struct arena *keep,
                              struct arena *here, struct str *text);
