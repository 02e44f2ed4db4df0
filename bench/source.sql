-- The source database of the benchmark: 10 stores, 1000 orders in 6 months, so that the
-- comparison by city and month has 60 rows. The data are the same on every machine.
create table stores (store_id int primary key, city text not null, region text);
create table customers (customer_id int primary key, name text, segment text);
create table products (product_id int primary key, name text, category text,
                       unit_price numeric(10, 2));
create table orders (order_id int primary key,
                     store_id int not null references stores,
                     customer_id int not null references customers,
                     order_date date not null, total_amount numeric(12, 2));
create table order_items (item_id int primary key,
                          order_id int not null references orders,
                          product_id int not null references products,
                          quantity int not null, line_total numeric(12, 2));
insert into stores select n, (array['Houston', 'Dallas', 'Austin', 'San Antonio',
    'El Paso', 'Fort Worth', 'Plano', 'Laredo', 'Lubbock', 'Waco'])[n], 'Texas'
  from generate_series(1, 10) n;
insert into customers select n, 'Customer ' || n,
    (array['Consumer', 'Corporate', null])[1 + n % 3]
  from generate_series(1, 200) n;
insert into products select n, 'Product ' || n,
    (array['Tools', 'Toys', 'Books', 'Garden'])[1 + n % 4], 5 + n
  from generate_series(1, 40) n;
insert into orders select n, 1 + n % 10, 1 + n % 200,
    date '2025-01-01' + (n * 7919 % 181), 20 + (n * 104729 % 30000) / 100.0
  from generate_series(1, 1000) n;
insert into order_items select n, 1 + n % 1000, 1 + n % 40, 1 + n % 3,
    5 + (n * 7919 % 9000) / 100.0
  from generate_series(1, 3000) n;
create index on orders (store_id);
analyze;
