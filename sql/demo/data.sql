-- Sextant demo data: the rows.
-- Run after schema.sql, as the owner of the tables.
--
-- The same rows come out everywhere: nothing here depends on random(), on the
-- clock, on a collation or on floating point. What looks like chance is a hash
-- of a row number and a salt, and all arithmetic is done in integers and numeric.
--
-- The story in the data: from July 2025 on the Houston stores run out of
-- Electronics. An order line exists only if its product was in stock in that
-- store on that day, so the stockouts table explains what is missing in orders.

SET client_min_messages = warning;
SET work_mem = '32MB';
SET jit = off;

-- 30 bits that look like chance.
CREATE FUNCTION pg_temp.h(id bigint, salt bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS 'SELECT hashint8extended(id, salt) & 1073741823';

------------------------------------------------------------------------------
-- Stores. orders_per_day is in thousandths and only drives the generator.
------------------------------------------------------------------------------
CREATE TEMPORARY TABLE gen_store AS
SELECT * FROM (VALUES
    ( 1,  1, 'Houston Galleria',       'Houston',       'TX', 'Gulf Coast',    DATE '2008-03-14', 42000, 61, 5800),
    ( 2,  1, 'Houston Heights',        'Houston',       'TX', 'Gulf Coast',    DATE '2013-09-06', 33000, 48, 4900),
    ( 3,  1, 'Houston Clear Lake',     'Houston',       'TX', 'Gulf Coast',    DATE '2017-05-19', 27000, 39, 4100),
    ( 4,  2, 'Dallas Uptown',          'Dallas',        'TX', 'North Texas',   DATE '2007-10-05', 45000, 66, 6800),
    ( 5,  2, 'Dallas Lake Highlands',  'Dallas',        'TX', 'North Texas',   DATE '2012-04-20', 36000, 52, 5700),
    ( 6,  2, 'Dallas Oak Cliff',       'Dallas',        'TX', 'North Texas',   DATE '2018-08-24', 26000, 37, 4400),
    ( 7,  3, 'San Antonio Riverwalk',  'San Antonio',   'TX', 'Central Texas', DATE '2010-02-12', 37000, 53, 5500),
    ( 8,  3, 'San Antonio Stone Oak',  'San Antonio',   'TX', 'Central Texas', DATE '2016-11-04', 29000, 41, 4500),
    ( 9,  4, 'Austin Domain',          'Austin',        'TX', 'Central Texas', DATE '2011-06-17', 39000, 57, 6000),
    (10,  4, 'Austin South Congress',  'Austin',        'TX', 'Central Texas', DATE '2015-03-27', 28000, 42, 4900),
    (11,  5, 'Fort Worth Stockyards',  'Fort Worth',    'TX', 'North Texas',   DATE '2012-10-19', 34000, 47, 4900),
    (12,  6, 'El Paso Sunland',        'El Paso',       'TX', 'West',          DATE '2014-07-11', 27000, 35, 3600),
    (13,  7, 'New Orleans Canal',      'New Orleans',   'LA', 'Gulf Coast',    DATE '2011-01-21', 32000, 46, 4400),
    (14,  7, 'New Orleans Metairie',   'New Orleans',   'LA', 'Gulf Coast',    DATE '2019-09-13', 23000, 31, 3300),
    (15,  8, 'Baton Rouge Perkins',    'Baton Rouge',   'LA', 'Gulf Coast',    DATE '2016-04-08', 24000, 32, 3100),
    (16,  9, 'Oklahoma City Bricktown','Oklahoma City', 'OK', 'Mid-South',     DATE '2013-03-22', 31000, 44, 4200),
    (17,  9, 'Oklahoma City Quail',    'Oklahoma City', 'OK', 'Mid-South',     DATE '2020-10-02', 21000, 28, 3000),
    (18, 10, 'Tulsa Utica',            'Tulsa',         'OK', 'Mid-South',     DATE '2015-08-14', 25000, 34, 3300),
    (19, 11, 'Little Rock Chenal',     'Little Rock',   'AR', 'Mid-South',     DATE '2017-10-27', 23000, 30, 2900),
    (20, 12, 'Albuquerque Uptown',     'Albuquerque',   'NM', 'West',          DATE '2014-11-14', 26000, 36, 3500)
) AS v (store_id, city_no, store_name, city, state, region, opened_on, square_feet, employees, orders_per_day);

INSERT INTO public.stores (store_id, store_name, city, state, region, opened_on, square_feet, employees)
SELECT store_id, store_name, city, state, region, opened_on, square_feet, employees
FROM gen_store ORDER BY store_id;

------------------------------------------------------------------------------
-- Products: eight categories of fifteen, product_id = category * 15 + place + 1.
------------------------------------------------------------------------------
CREATE TEMPORARY TABLE gen_category AS
SELECT * FROM (VALUES
    (0, 'Electronics',       72, ARRAY['Voltora', 'Haloway', 'Ninefold'],
        ARRAY['Wireless Earbuds:89', 'Bluetooth Speaker:119', 'Tablet 10 inch:289', 'Smart Watch:199', 'Noise-Cancelling Headphones:229',
              'Portable Charger:39', 'Streaming Stick:49', 'Computer Monitor 27 inch:259', 'Wi-Fi Router:129', 'Action Camera:219',
              'Mechanical Keyboard:99', 'Wireless Mouse:35', 'Smart Doorbell:149', 'USB-C Dock:79', 'E-Reader:139']),
    (1, 'Home and Kitchen',  58, ARRAY['Pecan Lane', 'Hearthmoor', 'Tallgrass'],
        ARRAY['Coffee Maker:79', 'Cast Iron Skillet:38', 'Knife Set:69', 'Blender:59', 'Air Fryer:99',
              'Bed Sheet Set:49', 'Throw Blanket:32', 'Desk Lamp:36', 'Food Storage Set:27', 'Dutch Oven:84',
              'Bath Towel Set:34', 'Toaster:42', 'Stand Mixer:189', 'Wall Clock:29', 'Vacuum Cleaner:149']),
    (2, 'Apparel',           47, ARRAY['Redbluff', 'Juniper Row', 'Lonestone'],
        ARRAY['Crewneck T-Shirt:18', 'Slim Jeans:54', 'Rain Jacket:79', 'Fleece Hoodie:46', 'Running Socks:12',
              'Oxford Shirt:44', 'Chino Pants:49', 'Wool Sweater:68', 'Leather Belt:29', 'Baseball Cap:19',
              'Canvas Sneakers:59', 'Denim Jacket:74', 'Linen Shorts:35', 'Summer Dress:52', 'Work Boots:118']),
    (3, 'Grocery',           74, ARRAY['Mesa Pantry', 'Goldenrod', 'Pecan Lane'],
        ARRAY['Ground Coffee:11', 'Olive Oil:13', 'Trail Mix:8', 'Sparkling Water 12-Pack:7', 'Dark Chocolate:4',
              'Granola:6', 'Green Tea:5', 'Hot Sauce:5', 'Peanut Butter:6', 'Tortilla Chips:4',
              'Pasta Sauce:5', 'Wild Honey:10', 'Rolled Oats:5', 'Black Beans 6-Pack:7', 'Maple Syrup:12']),
    (4, 'Sports and Outdoors', 60, ARRAY['Bluemesa', 'Lonestone', 'Redbluff'],
        ARRAY['Yoga Mat:29', 'Water Bottle:22', 'Camping Chair:39', 'Resistance Bands:19', 'Soft Cooler:54',
              'Dumbbell Pair:48', 'Hiking Backpack:89', 'Sleeping Bag:69', 'Trekking Poles:45', 'Basketball:27',
              'Bike Helmet:49', 'Fishing Rod:64', 'Jump Rope:14', 'Headlamp:26', 'Two-Person Tent:129']),
    (5, 'Toys and Games',    59, ARRAY['Kiteworks', 'Larkspur', 'Tallgrass'],
        ARRAY['Building Blocks:39', 'Strategy Board Game:44', 'Jigsaw Puzzle:18', 'Card Game:14', 'Remote Control Car:49',
              'Plush Bear:22', 'Science Kit:34', 'Wooden Train:37', 'Art Set:26', 'Kite:19',
              'Dollhouse:89', 'Marble Run:42', 'Foam Disc:9', 'Chess Set:31', 'Drone for Kids:64']),
    (6, 'Beauty',            45, ARRAY['Larkspur', 'Saltgrove', 'Goldenrod'],
        ARRAY['Shampoo:12', 'Face Moisturizer:24', 'Sunscreen:15', 'Body Lotion:13', 'Lip Balm:5',
              'Beard Oil:18', 'Hand Soap:7', 'Night Serum:36', 'Conditioner:12', 'Nail Polish:9',
              'Bath Salts:14', 'Cleansing Foam:16', 'Perfume:58', 'Hair Brush:17', 'Makeup Kit:42']),
    (7, 'Office Supplies',   52, ARRAY['Inkwell Bay', 'Ninefold', 'Hearthmoor'],
        ARRAY['Gel Pens:9', 'Notebook Set:14', 'Printer Paper:12', 'Sticky Notes:6', 'Desk Organizer:24',
              'Stapler:15', 'Highlighters:8', 'Planner:21', 'Packing Tape:7', 'Whiteboard:46',
              'File Folders:13', 'Label Maker:39', 'Scissors:10', 'Desk Pad:28', 'Paper Shredder:84'])
) AS v (category_no, category, cost_percent, brands, items);

INSERT INTO public.products (product_id, product_name, category, brand, unit_price, unit_cost)
SELECT c.category_no * 15 + i.place,
       split_part(i.item, ':', 1),
       c.category,
       c.brands[1 + (i.place - 1) % 3],
       p.price,
       round(p.price * (c.cost_percent - 4 + pg_temp.h(c.category_no * 15 + i.place, 11) % 9) / 100, 2)
FROM gen_category c
CROSS JOIN LATERAL unnest(c.items) WITH ORDINALITY AS i (item, place)
CROSS JOIN LATERAL (SELECT split_part(i.item, ':', 2)::numeric + 0.99 AS price) p
ORDER BY 1;

------------------------------------------------------------------------------
-- Customers: 4,400 joined from 2019 to 2023, 3,600 in 2024 and 2025.
------------------------------------------------------------------------------
INSERT INTO public.customers (customer_id, full_name, email, segment, home_city, loyalty_member, joined_on)
SELECT n.id, n.first_name || ' ' || n.last_name,
       CASE WHEN pg_temp.h(n.id, 23) % 100 >= 7
            THEN lower(n.first_name) || '.' || lower(n.last_name) || n.id || '@example.com' END,
       CASE WHEN n.r < 60 THEN 'Consumer' WHEN n.r < 79 THEN 'Small Business'
            WHEN n.r < 88 THEN 'Corporate' WHEN n.r < 94 THEN 'Education' END,
       s.city, pg_temp.h(n.id, 25) % 100 < 38, n.joined_on
FROM (
    SELECT id,
           (ARRAY['Adriana', 'Ben', 'Carla', 'Daniel', 'Elena', 'Frank', 'Grace', 'Hector', 'Irene', 'James',
                  'Karen', 'Luis', 'Maria', 'Nathan', 'Olivia', 'Pedro', 'Quinn', 'Rosa', 'Samuel', 'Teresa',
                  'Umar', 'Valerie', 'Wesley', 'Ximena', 'Yusuf', 'Zoe', 'Andre', 'Bianca', 'Curtis', 'Denise'])
               [1 + pg_temp.h(id, 21) % 30] AS first_name,
           (ARRAY['Acosta', 'Baker', 'Castillo', 'Dawson', 'Ellis', 'Flores', 'Garza', 'Hughes', 'Ibarra', 'Jenkins',
                  'Kim', 'Lopez', 'Mitchell', 'Nguyen', 'Ortega', 'Parker', 'Quintero', 'Reyes', 'Sanders', 'Tran',
                  'Underwood', 'Vargas', 'Walker', 'Xiong', 'Young', 'Zamora', 'Boudreaux', 'Chavez', 'Dupree', 'Patel'])
               [1 + pg_temp.h(id, 22) % 30] AS last_name,
           pg_temp.h(id, 24) % 100 AS r,
           pg_temp.h(id, 26) % (SELECT sum(orders_per_day)::bigint FROM gen_store) AS spot,
           CASE WHEN id <= 4400 THEN DATE '2019-01-01' + (id * 1826 / 4401)
                ELSE DATE '2024-01-01' + ((id - 4400) * 731 / 3601) END AS joined_on
    FROM generate_series(1, 8000) AS id
) n
JOIN (
    SELECT city, sum(orders_per_day) OVER w - orders_per_day AS low, sum(orders_per_day) OVER w AS high
    FROM gen_store WINDOW w AS (ORDER BY store_id)
) s ON n.spot >= s.low AND n.spot < s.high
ORDER BY n.id;

-- Customers by city in the order of joining, and how many a city had on each day.
CREATE TEMPORARY TABLE gen_customer AS
SELECT s.city_no, c.customer_id, c.joined_on,
       row_number() OVER (PARTITION BY s.city_no ORDER BY c.customer_id) AS place
FROM public.customers c
JOIN (SELECT DISTINCT city_no, city FROM gen_store) s ON s.city = c.home_city;

CREATE TEMPORARY TABLE gen_city_day AS
SELECT d.city_no, d.day,
       sum(count(c.customer_id)) OVER (PARTITION BY d.city_no ORDER BY d.day)::bigint AS known
FROM (SELECT city_no, DATE '2024-01-01' + n AS day
      FROM (SELECT DISTINCT city_no FROM gen_store) s, generate_series(0, 730) AS n) d
LEFT JOIN gen_customer c
       ON c.city_no = d.city_no AND greatest(c.joined_on, DATE '2024-01-01') = d.day
GROUP BY d.city_no, d.day;

------------------------------------------------------------------------------
-- Stockouts: a few short ones everywhere, and Electronics in Houston from July 2025.
------------------------------------------------------------------------------
INSERT INTO public.stockouts (stockout_id, store_id, product_id, started_on, days_out, reason)
SELECT row_number() OVER (ORDER BY o.started_on, o.store_id, o.product_id), o.*
FROM (
    SELECT g.store_id, g.product_id,
           (g.month + (pg_temp.h(g.key, 31) % 22)::integer) AS started_on,
           (1 + pg_temp.h(g.key, 32) % 5)::integer AS days_out,
           (ARRAY['supplier delay', 'supplier delay', 'demand peak', 'demand peak', 'damaged in transit', 'ordering error', NULL])
               [1 + pg_temp.h(g.key, 33) % 7] AS reason
    FROM (SELECT s.store_id, p.product_id, m.n,
                 (DATE '2024-01-01' + m.n * INTERVAL '1 month')::date AS month,
                 (s.store_id * 1000 + p.product_id)::bigint * 100 + m.n AS key,
                 s.city = 'Houston' AND p.category = 'Electronics' AND m.n >= 18 AS long_outage
          FROM gen_store s, public.products p, generate_series(0, 23) AS m (n)) g
    WHERE NOT g.long_outage AND pg_temp.h(g.key, 34) % 1000 < 30
    UNION ALL
    SELECT g.store_id, g.product_id, g.started_on,
           g.month_end - g.started_on - (pg_temp.h(g.key, 36) % 2)::integer,
           'distributor contract ended'
    FROM (SELECT s.store_id, p.product_id, m.key,
                 (m.month + INTERVAL '1 month')::date AS month_end,
                 (m.month + (CASE WHEN m.n = 18 THEN 2 + pg_temp.h(m.key, 35) % 8
                                  ELSE pg_temp.h(m.key, 35) % 3 END)::integer) AS started_on
          FROM gen_store s
          JOIN public.products p ON s.city = 'Houston' AND p.category = 'Electronics'
          CROSS JOIN LATERAL (
              SELECT n, (DATE '2024-01-01' + n * INTERVAL '1 month')::date AS month,
                     (s.store_id * 1000 + p.product_id)::bigint * 100 + n AS key
              FROM generate_series(18, 23) AS n) m) g
) o
ORDER BY 1;

------------------------------------------------------------------------------
-- Orders that customers wanted to place: per store and day a number made of the
-- size of the store, season, growth, day of the week and some noise.
------------------------------------------------------------------------------
CREATE TEMPORARY TABLE gen_order AS
SELECT row_number() OVER (ORDER BY d.day, d.store_id, k.k) AS want_id, d.store_id, d.city_no, d.day
FROM (
    SELECT s.store_id, s.city_no, t.day,
           (s.orders_per_day::bigint
             * (ARRAY[880, 865, 950, 960, 1000, 1010, 1000, 1035, 955, 990, 1190, 1370])[t.month_no % 12 + 1] / 1000
             * (1000 + 5 * t.month_no) / 1000
             * (ARRAY[930, 930, 945, 950, 1025, 1230, 970])[t.weekday] / 1000
             * (970 + pg_temp.h(s.store_id * 100 + t.month_no, 41) % 61) / 1000
             * (800 + pg_temp.h(s.store_id * 1000 + t.n, 42) % 401) / 1000
             + pg_temp.h(s.store_id * 1000 + t.n, 43) % 1000) / 1000 AS wanted
    FROM gen_store s
    CROSS JOIN (
        SELECT n, DATE '2024-01-01' + n AS day,
               extract(isodow FROM DATE '2024-01-01' + n)::integer AS weekday,
               (extract(year FROM DATE '2024-01-01' + n)::integer - 2024) * 12
                 + extract(month FROM DATE '2024-01-01' + n)::integer - 1 AS month_no
        FROM generate_series(0, 730) AS n) t
) d
CROSS JOIN LATERAL generate_series(1, d.wanted) AS k (k);

ANALYZE gen_order;

-- Their lines. Two lines in three are from the main category of the order, the
-- others from another one; the place within the category moves on by 7 of 15
-- with each line, so no order has a product twice.
CREATE TEMPORARY TABLE gen_line AS
SELECT o.want_id, o.store_id, o.day, l.k, l.key, l.category_no,
       (l.category_no * 15 + (o.first_place + l.k * 7) % 15 + 1)::integer AS product_id
FROM (
    SELECT w.want_id, w.store_id, w.day,
           (ARRAY[1,1,1,1,2,2,2,2,2,3,3,3,3,4,4,4,5,5,5,6])[1 + pg_temp.h(w.want_id, 51) % 20] AS line_count,
           (15 * (pg_temp.h(w.want_id, 52) >> 15) * (pg_temp.h(w.want_id, 52) >> 15)) >> 30 AS first_place,
           CASE WHEN w.r < 22 THEN 0 WHEN w.r < 36 THEN 1 WHEN w.r < 51 THEN 2 WHEN w.r < 69 THEN 3
                WHEN w.r < 79 THEN 4 WHEN w.r < 87 THEN 5 WHEN w.r < 94 THEN 6 ELSE 7 END AS main_category
    FROM (SELECT want_id, store_id, day, pg_temp.h(want_id, 53) % 100 AS r FROM gen_order) w
) o
CROSS JOIN LATERAL (
    SELECT k, o.want_id * 8 + k AS key,
           CASE WHEN pg_temp.h(o.want_id * 8 + k, 54) % 100 < 68 THEN o.main_category
                ELSE (o.main_category + 1 + pg_temp.h(o.want_id * 8 + k, 55) % 7) % 8 END AS category_no
    FROM generate_series(0, o.line_count - 1) AS k
) l;

-- What is out of stock cannot be bought.
DELETE FROM gen_line l
USING public.stockouts s
WHERE s.store_id = l.store_id AND s.product_id = l.product_id
  AND l.day >= s.started_on AND l.day < s.started_on + s.days_out;

-- An order without a line left was never placed.
CREATE TEMPORARY TABLE gen_placed AS
SELECT o.want_id, o.store_id, o.day, row_number() OVER (ORDER BY o.want_id) AS order_id,
       CASE WHEN pg_temp.h(o.want_id, 61) % 100 < 92 THEN o.city_no
            ELSE 1 + pg_temp.h(o.want_id, 62) % 12 END AS from_city,
       CASE WHEN pg_temp.h(o.want_id, 63) % 1000 < 210 + (o.day - DATE '2024-01-01') / 8
            THEN 'online' ELSE 'in_store' END AS channel,
       CASE pg_temp.h(o.want_id, 64) % 100 / 4
            WHEN 0 THEN 'WELCOME10' WHEN 1 THEN 'SAVE15' WHEN 2 THEN 'CLUB20' END AS coupon_code
FROM gen_order o
WHERE EXISTS (SELECT FROM gen_line l WHERE l.want_id = o.want_id);

ANALYZE gen_line, gen_placed, gen_city_day, gen_customer;

INSERT INTO public.orders (order_id, store_id, customer_id, order_date, channel, status, payment_method, coupon_code)
SELECT o.order_id, o.store_id, c.customer_id, o.day, o.channel,
       CASE WHEN pg_temp.h(o.want_id, 66) % 1000 < 920 THEN 'completed'
            WHEN pg_temp.h(o.want_id, 66) % 1000 < 958 THEN 'returned' ELSE 'cancelled' END,
       (CASE WHEN o.channel = 'online' THEN ARRAY['card', 'card', 'card', 'card', 'card', 'card', 'mobile', 'mobile', 'mobile', 'gift_card']
             ELSE ARRAY['card', 'card', 'card', 'card', 'card', 'cash', 'cash', 'mobile', 'mobile', 'gift_card'] END)
           [1 + pg_temp.h(o.want_id, 67) % 10],
       o.coupon_code
FROM gen_placed o
JOIN gen_city_day d ON d.city_no = o.from_city AND d.day = o.day
JOIN gen_customer c ON c.city_no = o.from_city
                   AND c.place = 1 + ((d.known * (pg_temp.h(o.want_id, 65) >> 15) * (pg_temp.h(o.want_id, 68) >> 15)) >> 30)
ORDER BY o.order_id;

-- List prices rose by two percent in January 2025.
INSERT INTO public.order_items (order_item_id, order_id, product_id, quantity, unit_price, discount_percent, line_total)
SELECT row_number() OVER (ORDER BY x.order_id, x.k), x.order_id, x.product_id, x.quantity, x.unit_price, x.discount,
       round(x.quantity * x.unit_price * (100 - x.discount) / 100, 2)
FROM (
    SELECT o.order_id, l.k, l.product_id,
           CASE l.category_no
                WHEN 0 THEN (ARRAY[1,1,1,1,1,1,1,1,1,2])[1 + pg_temp.h(l.key, 71) % 10]
                WHEN 3 THEN 1 + pg_temp.h(l.key, 71) % 5
                ELSE (ARRAY[1,1,1,1,1,1,2,2,2,3])[1 + pg_temp.h(l.key, 71) % 10] END::integer AS quantity,
           CASE WHEN l.day < DATE '2025-01-01' THEN round(p.unit_price * 0.98, 2) ELSE p.unit_price END AS unit_price,
           CASE WHEN o.coupon_code IS NOT NULL THEN right(o.coupon_code, 2)::integer
                ELSE (ARRAY[0,0,0,0,0,0,0,0,5,10])[1 + pg_temp.h(l.key, 72) % 10] END AS discount
    FROM gen_line l
    JOIN gen_placed o ON o.want_id = l.want_id
    JOIN public.products p ON p.product_id = l.product_id
) x;

DROP TABLE gen_store, gen_category, gen_customer, gen_city_day, gen_order, gen_line, gen_placed;
DROP FUNCTION pg_temp.h(bigint, bigint);

------------------------------------------------------------------------------
-- Foreign keys, indexes, statistics.
------------------------------------------------------------------------------
ALTER TABLE public.orders
    ADD CONSTRAINT orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores (store_id),
    ADD CONSTRAINT orders_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES public.customers (customer_id);
ALTER TABLE public.order_items
    ADD CONSTRAINT order_items_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders (order_id),
    ADD CONSTRAINT order_items_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products (product_id),
    ADD CONSTRAINT order_items_order_id_product_id_key UNIQUE (order_id, product_id);
ALTER TABLE public.stockouts
    ADD CONSTRAINT stockouts_store_id_fkey FOREIGN KEY (store_id) REFERENCES public.stores (store_id),
    ADD CONSTRAINT stockouts_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products (product_id),
    ADD CONSTRAINT stockouts_store_id_product_id_started_on_key UNIQUE (store_id, product_id, started_on);

CREATE INDEX orders_order_date_idx ON public.orders (order_date);
CREATE INDEX orders_store_id_order_date_idx ON public.orders (store_id, order_date);
CREATE INDEX orders_customer_id_idx ON public.orders (customer_id);
CREATE INDEX order_items_product_id_idx ON public.order_items (product_id);
CREATE INDEX customers_home_city_idx ON public.customers (home_city);
CREATE INDEX stockouts_product_id_idx ON public.stockouts (product_id);

ANALYZE public.stores, public.customers, public.products, public.orders, public.order_items, public.stockouts;

RESET jit;
RESET work_mem;
RESET client_min_messages;
