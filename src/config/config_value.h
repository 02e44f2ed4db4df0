/* config_value.h - what the files of config share: values, the file, checks. */
#pragma once
#include "config/config.h"

/* Checks `text` (not empty) and stores it in *c. Returns false with the reason
 * in *why, which never shows a secret. `base` is the folder that a PATH is
 * relative to. */
bool config_put(struct arena *arena, struct config *c, enum config_id id,
                struct str text, const char *base, struct str *why);

/* One "name: value" of the file. */
struct config_entry {
    struct str name, value;
    int line, column; /* position of the name */
};
/* Parses the file. Returns false if `text` is not valid; *why has the line and
 * the reason. */
bool config_file_read(struct arena *arena, struct str text,
                      struct config_entry **entries, size_t *n,
                      struct str *why);
/* Checks that the settings fit together. Returns false if *problems was added
 * to. */
bool config_check(const struct config *c, struct buf *problems,
                  struct buf *warnings);
