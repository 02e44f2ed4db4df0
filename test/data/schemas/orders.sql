-- Roles before the name, actors, trees, and numbers that refer to nothing.
--! key companies (company_id)
--! key users (user_id)
--! key addresses (address_id)
--! key orders (order_id)
--! key categories (category_id)
--! link users (company_id) -> companies (company_id)
--! link orders (billing_address_id) -> addresses (address_id)
--! link orders (shipping_address_id) -> addresses (address_id)
--! link orders (created_by) -> users (user_id)
--! link orders (approver_id) -> users (user_id)
--! link categories (parent_category_id) -> categories (category_id)
--! link order_lines (order_id) -> orders (order_id)
--! link order_lines (category_id) -> categories (category_id)
--! never orders (priority)
--! never orders (delivery_days_limit)
--! never users (login_count_rank)
--! sum order_lines (quantity)
create table companies (company_id int, name text, employees_band int);
create table users (user_id int, name text, email text, company_id int, login_count_rank int);
create table addresses (address_id int, street text, city text);
create table categories (category_id int, name text, parent_category_id int, depth_level int);
create table orders (order_id int, billing_address_id int, shipping_address_id int, created_by int, approver_id int, priority int, delivery_days_limit int, ext_ref_id int);
create table order_lines (order_id int, line_number int, category_id int, quantity int, unit_cost numeric(8,2));
insert into companies select i, 'company ' || i, i % 3 + 1 from generate_series(1, 5) i;
insert into users select i, 'user ' || i, 'u' || i || '@example.org', i % 5 + 1, i from generate_series(1, 9) i;
insert into addresses select i, 'street ' || i, 'city' from generate_series(1, 12) i;
insert into categories select i, 'category ' || i, nullif(i / 2, 0), 1 from generate_series(1, 8) i;
insert into orders select i, i % 12 + 1, (i * 5) % 12 + 1, i % 9 + 1, i % 4 + 1, i % 3 + 1, i % 8 + 1, 90000 + i from generate_series(1, 20) i;
insert into order_lines select i, l, (i + l) % 8 + 1, l, 3.5 from generate_series(1, 20) i, generate_series(1, 2) l;
