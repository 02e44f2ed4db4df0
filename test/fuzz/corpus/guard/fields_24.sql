select r.a, r.b, r.n from rows from (json_to_recordset('[{"a": 1, "b": "x"}]') as (a int, b text), generate_series(1, 2)) as r(a, b, n)
