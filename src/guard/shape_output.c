/* shape_output.c - names of outputs, as the shape has them. */
#include "shape_build.h"
#include "walk.h"
#include "base/banned.h"

struct str shape_output_name(struct shape_builder *b, const json_t *wrapped)
{
    struct str name = output_name(wrapped);
    return !name.ptr || str_is(name, "?column?") ? STR("")
                                                 : shape_text(b, name);
}
