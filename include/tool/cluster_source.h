/* cluster_source.h - lets the store open catalogs of Trino clusters as sources
 * (engine/trino.h). */
#pragma once
#include "store/store.h"

/* Its functions need the HTTP client. */
extern const struct cluster_sources cluster_sources;
