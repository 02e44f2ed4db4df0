/* err.c - the table of errors, from errors.def. */
#include "base/err.h"
#include "base/banned.h"

static const struct {
    const char *name, *code, *sentence;
    int status;
} errors[ERR_COUNT] = {
    [OK] = {"OK", "OK", "It worked.", 200},
#define ERROR(name, status, code, sentence) \
    [ERR_##name] = {"ERR_" #name, code, sentence, status},
#include "base/errors.def"
#undef ERROR
};

const char *err_name(enum err e)
{
    return errors[e].name;
}

const char *err_code(enum err e)
{
    return errors[e].code;
}

const char *err_sentence(enum err e)
{
    return errors[e].sentence;
}

int err_status(enum err e)
{
    return errors[e].status;
}
