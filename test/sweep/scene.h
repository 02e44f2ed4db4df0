/* scene.h - one telling of a story: the real floors from loop to agent over the
 * fakes, opened, run to the end, looked at and closed. */
#pragma once
#include "base/buf.h"
#include "fake_world.h"
#include "story.h"
#include <stdbool.h>

/* Reads the shop's model; once. */
void scenes_open(const char *model_path);
void scenes_close(void);

/* Tells it with that trouble at k. False when something did not hold, which has
 * been printed. */
bool scene_tell(const struct story *s, enum trouble trouble, unsigned k,
                struct case_counts *counts);
