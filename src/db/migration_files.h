/* migration_files.h - reads and checks the files of migrate.h. It blocks, and
 * is used when a program starts. */
#pragma once
#include "db/migrate.h"

/* Fills m->list and m->n (in keep) and m->texts (in here). On failure `text` is
 * a sentence. */
enum err migration_files_read(struct migrate *m, struct arena *keep,
                              struct arena *here, struct str *text);
