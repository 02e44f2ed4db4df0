-- A warehouse: dimensions with surrogate keys, dates as numbers.
--! key dim_date (date_key)
--! key dim_product (product_key)
--! key dim_store (store_key)
--! key dim_promotion (promotion_key)
--! link fact_sales (order_date_key) -> dim_date (date_key)
--! link fact_sales (ship_date_key) -> dim_date (date_key)
--! link fact_sales (product_key) -> dim_product (product_key)
--! link fact_sales (store_key) -> dim_store (store_key)
--! link fact_sales (promotion_key) -> dim_promotion (promotion_key)
--! link fact_inventory_daily (date_key) -> dim_date (date_key)
--! link fact_inventory_daily (product_key) -> dim_product (product_key)
--! link fact_inventory_daily (store_key) -> dim_store (store_key)
--! sum fact_sales (units)
--! sum fact_sales (net_amount)
--! never fact_sales (unit_price)
--! never fact_sales (order_epoch)
--! never fact_inventory_daily (units_on_hand)
--! never fact_inventory_daily (stock_balance)
--! never dim_promotion (discount_pct)
create table dim_date (date_key int, calendar_date date, month_number int, year_number int);
create table dim_product (product_key int, product_name text, brand text);
create table dim_store (store_key int, store_name text, floor_count int);
create table dim_promotion (promotion_key int, promotion_name text, discount_pct numeric(4,1));
create table fact_sales (order_date_key int, ship_date_key int, product_key int, store_key int, promotion_key int, units int,
  unit_price numeric(8,2), net_amount numeric(10,2), order_epoch bigint);
create table fact_inventory_daily (date_key int, product_key int, store_key int, units_on_hand int, stock_balance numeric(10,2));
insert into dim_date select 20230100 + i, date '2023-01-01' + i - 1, 1, 2023 from generate_series(1, 31) i;
insert into dim_product select i, 'product ' || i, 'brand ' || i % 3 from generate_series(1, 12) i;
insert into dim_store select i, 'store ' || i, i % 2 + 1 from generate_series(1, 5) i;
insert into dim_promotion select i, 'promotion ' || i, i * 5 from generate_series(1, 4) i;
insert into fact_sales select 20230100 + i % 25 + 1, 20230100 + i % 25 + 4, i % 12 + 1, i % 5 + 1, i % 4 + 1, i % 7 + 1, 9.5, i * 9.5, 1672531200 + i * 3600
  from generate_series(1, 200) i;
insert into fact_inventory_daily select 20230100 + d, p, p % 5 + 1, p * d, p * d * 2.5 from generate_series(1, 10) d, generate_series(1, 12) p;
