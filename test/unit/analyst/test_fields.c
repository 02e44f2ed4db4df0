/* Which field names the rows of a dataset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/arena.h"
#include "read/field.h"

/* The name of the field, of text fields given as words; the first is unique. */
static const char *label_of(const char *const *names)
{
    static struct field fields[8];
    static struct str key;
    struct str_list keys = {&key, 1};
    struct dataset d = {.name = STR("people"),
                        .fields = fields,
                        .unique_keys = &keys,
                        .n_unique_keys = 1};
    for (; names[d.n_fields]; d.n_fields++)
        fields[d.n_fields] = (struct field){.name = str_of(names[d.n_fields]),
                                            .column = str_of(names[d.n_fields]),
                                            .datatype = STR("String")};
    key = fields[0].name;
    size_t at = dataset_label(&d);
    return at == SIZE_MAX ? "" : names[at];
}

#define LABEL(...) label_of((const char *const[]){__VA_ARGS__, NULL})

static void test_a_person_is_called_by_a_name(void **state)
{
    (void)state;
    assert_string_equal(LABEL("email", "first_name", "last_name"),
                        "first_name");
    assert_string_equal(LABEL("email", "school_name", "last_name"),
                        "last_name");
    assert_string_equal(LABEL("badge_code", "last_name", "first_name"),
                        "last_name");
    assert_string_equal(LABEL("email", "first_name", "last_name", "full_name"),
                        "full_name");
}

static void test_a_thing_is_called_by_its_name_or_code(void **state)
{
    (void)state;
    assert_string_equal(LABEL("company_name", "contact_name", "city"),
                        "company_name");
    assert_string_equal(LABEL("school_name", "town"), "school_name");
    assert_string_equal(LABEL("product_code", "size"), "product_code");
    assert_string_equal(LABEL("email", "phone"), "email");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_person_is_called_by_a_name),
        cmocka_unit_test(test_a_thing_is_called_by_its_name_or_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
