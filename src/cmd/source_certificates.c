/* source_certificates.c - reads a file of certificates. */
#include "source_certificates.h"
#include "config/config.h"
#include "db/conninfo.h"
#include "base/banned.h"

bool source_certificates(struct arena *arena, struct str path, struct str *pem,
                         struct str *why)
{
    if (!config_read_file(arena, arena_cstr(arena, path), pem, why))
        return false;
    if (certificates_valid(*pem))
        return true;
    *why = arena_printf(arena, "%.*s does not contain PEM certificates",
                        STR_ARG(path));
    return false;
}
