-- Names of columns abbreviate the names of tables.
--! key departments (dept_no)
--! key employees (emp_no)
--! key doctors (doc_id)
--! key patients (pat_id)
--! key medications (med_id)
--! key treatments (treat_id)
--! key organizations (org_id)
--! link employees (dept_no) -> departments (dept_no)
--! link doctors (dept_no) -> departments (dept_no)
--! link patients (org_id) -> organizations (org_id)
--! link treatments (pat_id) -> patients (pat_id)
--! link treatments (doc_id) -> doctors (doc_id)
--! link treatments (med_id) -> medications (med_id)
--! link outcomes (treat_id) -> treatments (treat_id)
--! link departments (mgr_emp_no) -> employees (emp_no)
--! never patients (weight_kg)
--! never outcomes (day7_score)
--! never treatments (dose_mg_limit)
create table departments (dept_no int, dept_name text, mgr_emp_no int);
create table employees (emp_no int, name text, dept_no int, hired date);
create table doctors (doc_id int, first_name text, last_name text, dept_no int, yrs int);
create table patients (pat_id int, first_name text, org_id int, weight_kg numeric(5,1), email text);
create table medications (med_id int, med_name text, manufacturer text);
create table treatments (treat_id int, pat_id int, doc_id int, med_id int, started date, dose_mg_limit int);
create table outcomes (outcome_id int, treat_id int, day7_score int, note text);
create table organizations (org_id int, org_name text);
insert into departments select i, 'dept ' || i, i * 2 from generate_series(1, 5) i;
insert into employees select i, 'emp ' || i, i % 5 + 1, date '2015-01-01' + i from generate_series(1, 20) i;
insert into doctors select i, 'first ' || i, 'last ' || i, i % 5 + 1, i from generate_series(1, 8) i;
insert into organizations select i, 'org ' || i from generate_series(1, 4) i;
insert into patients select i, 'first ' || i, i % 4 + 1, 50 + i, 'p' || i || '@example.org' from generate_series(1, 12) i;
insert into medications select i, 'med ' || i, 'maker ' || i % 3 from generate_series(1, 7) i;
insert into treatments select i, i % 12 + 1, i % 8 + 1, i % 7 + 1, date '2022-01-01' + i, 100 from generate_series(1, 15) i;
insert into outcomes select i, i, i % 10, 'fine' from generate_series(1, 15) i;
