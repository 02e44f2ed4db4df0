/* config_value.h - one value of one setting: checked, and put into the struct. */
#pragma once
#include "config/config.h"

/* Puts `text` (not empty) into *c. False with the reason in *why, which never
 * shows a secret. `base` is the folder that a PATH is relative to. */
bool config_put(struct arena *arena, struct config *c, enum config_id id,
                struct str text, const char *base, struct str *why);

/* Of a field of type text. */
const char **config_text_at(struct config *c, enum config_id id);
/* One "name: value" of the file. False when `text` cannot be read as settings;
 * *why has the line and the reason. */
struct config_entry {
    struct str name, value;
    int line, column; /* of the name */
};
bool config_file_read(struct arena *arena, struct str text,
                      struct config_entry **entries, size_t *n,
                      struct str *why);
/* Whether the settings fit together. */
bool config_check(const struct config *c, struct buf *problems,
                  struct buf *warnings);
