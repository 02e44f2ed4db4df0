/* datatype.h - the datatypes of fields and metrics. */
#pragma once
#include "base/str.h"

/* The text is a datatype of OSI, or a type of SQL, perhaps with a length and
 * "[]": "Decimal", "varchar(20)", "timestamp with time zone". Without case. */
bool datatype_is_known(struct str text);
