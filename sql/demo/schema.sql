-- Sextant demo data: the tables of a small retail business.
-- Run in an empty database, before data.sql and reader.sql.
-- Plain SQL without psql commands, so that it can be sent as one script.
-- The foreign keys and the secondary indexes are at the end of data.sql:
-- a load into bare tables is several times faster.

CREATE TABLE public.stores (
    store_id     integer PRIMARY KEY,
    store_name   text NOT NULL UNIQUE,
    city         text NOT NULL,
    state        text NOT NULL,
    region       text NOT NULL,
    opened_on    date NOT NULL,
    square_feet  integer NOT NULL CHECK (square_feet > 0),
    employees    integer NOT NULL CHECK (employees > 0)
);

CREATE TABLE public.customers (
    customer_id     integer PRIMARY KEY,
    full_name       text NOT NULL,
    email           text UNIQUE,
    segment         text,
    home_city       text NOT NULL,
    loyalty_member  boolean NOT NULL,
    joined_on       date NOT NULL
);

CREATE TABLE public.products (
    product_id    integer PRIMARY KEY,
    product_name  text NOT NULL UNIQUE,
    category      text NOT NULL,
    brand         text NOT NULL,
    unit_price    numeric(10,2) NOT NULL CHECK (unit_price > 0),
    unit_cost     numeric(10,2) NOT NULL CHECK (unit_cost > 0)
);

CREATE TABLE public.orders (
    order_id        integer PRIMARY KEY,
    store_id        integer NOT NULL,
    customer_id     integer NOT NULL,
    order_date      date NOT NULL,
    channel         text NOT NULL CHECK (channel IN ('in_store', 'online')),
    status          text NOT NULL CHECK (status IN ('completed', 'cancelled', 'returned')),
    payment_method  text NOT NULL,
    coupon_code     text
);

CREATE TABLE public.order_items (
    order_item_id     integer PRIMARY KEY,
    order_id          integer NOT NULL,
    product_id        integer NOT NULL,
    quantity          integer NOT NULL CHECK (quantity > 0),
    unit_price        numeric(10,2) NOT NULL,
    discount_percent  numeric(5,2) NOT NULL DEFAULT 0,
    line_total        numeric(12,2) NOT NULL
);

CREATE TABLE public.stockouts (
    stockout_id  integer PRIMARY KEY,
    store_id     integer NOT NULL,
    product_id   integer NOT NULL,
    started_on   date NOT NULL,
    days_out     integer NOT NULL CHECK (days_out BETWEEN 1 AND 31),
    reason       text
);

COMMENT ON TABLE public.stores IS 'The stores of the business, one row per store; a city may have several.';
COMMENT ON COLUMN public.stores.store_id IS 'Key of the store.';
COMMENT ON COLUMN public.stores.store_name IS 'Name of the store, unique.';
COMMENT ON COLUMN public.stores.city IS 'City in which the store stands.';
COMMENT ON COLUMN public.stores.state IS 'Two-letter code of the state in which the store stands.';
COMMENT ON COLUMN public.stores.region IS 'Sales region to which the store belongs.';
COMMENT ON COLUMN public.stores.opened_on IS 'Day on which the store opened.';
COMMENT ON COLUMN public.stores.square_feet IS 'Sales floor in square feet.';
COMMENT ON COLUMN public.stores.employees IS 'Number of people working in the store.';

COMMENT ON TABLE public.customers IS 'People and firms who are registered as customers.';
COMMENT ON COLUMN public.customers.customer_id IS 'Key of the customer; rises with the day of joining.';
COMMENT ON COLUMN public.customers.full_name IS 'First and last name, not unique.';
COMMENT ON COLUMN public.customers.email IS 'Mail address; NULL if the customer gave none.';
COMMENT ON COLUMN public.customers.segment IS 'Consumer, Small Business, Corporate or Education; NULL if never classified.';
COMMENT ON COLUMN public.customers.home_city IS 'City in which the customer lives, which may differ from the city of the store.';
COMMENT ON COLUMN public.customers.loyalty_member IS 'Whether the customer takes part in the loyalty programme.';
COMMENT ON COLUMN public.customers.joined_on IS 'Day on which the customer registered.';

COMMENT ON TABLE public.products IS 'The products on sale, the same assortment in each store.';
COMMENT ON COLUMN public.products.product_id IS 'Key of the product.';
COMMENT ON COLUMN public.products.product_name IS 'Name of the product, unique.';
COMMENT ON COLUMN public.products.category IS 'Product category, one of eight.';
COMMENT ON COLUMN public.products.brand IS 'Brand under which the product is sold.';
COMMENT ON COLUMN public.products.unit_price IS 'List price of one unit in US dollars, valid since January 2025.';
COMMENT ON COLUMN public.products.unit_cost IS 'Purchase cost of one unit in US dollars.';

COMMENT ON TABLE public.orders IS 'One row per order from 2024-01-01 to 2025-12-31.';
COMMENT ON COLUMN public.orders.order_id IS 'Key of the order; rises with the order date.';
COMMENT ON COLUMN public.orders.store_id IS 'Store that sold the order, or that shipped it if the order came in online.';
COMMENT ON COLUMN public.orders.customer_id IS 'Customer who placed the order.';
COMMENT ON COLUMN public.orders.order_date IS 'Day on which the order was placed.';
COMMENT ON COLUMN public.orders.channel IS 'in_store or online.';
COMMENT ON COLUMN public.orders.status IS 'completed, cancelled or returned.';
COMMENT ON COLUMN public.orders.payment_method IS 'card, cash, mobile or gift_card.';
COMMENT ON COLUMN public.orders.coupon_code IS 'Coupon used with the order; NULL if there was none.';

COMMENT ON TABLE public.order_items IS 'The lines of the orders, at most one per order and product.';
COMMENT ON COLUMN public.order_items.order_item_id IS 'Key of the order line.';
COMMENT ON COLUMN public.order_items.order_id IS 'Order to which the line belongs.';
COMMENT ON COLUMN public.order_items.product_id IS 'Product that was ordered.';
COMMENT ON COLUMN public.order_items.quantity IS 'Number of units.';
COMMENT ON COLUMN public.order_items.unit_price IS 'Price of one unit on the day of the order, before discount, in US dollars.';
COMMENT ON COLUMN public.order_items.discount_percent IS 'Discount on the line in percent, 0 if there was none.';
COMMENT ON COLUMN public.order_items.line_total IS 'quantity * unit_price less the discount, in US dollars.';

COMMENT ON TABLE public.stockouts IS 'Times at which a product was not available in a store; an outage over several months has one row per month.';
COMMENT ON COLUMN public.stockouts.stockout_id IS 'Key of the outage.';
COMMENT ON COLUMN public.stockouts.store_id IS 'Store in which the product was missing.';
COMMENT ON COLUMN public.stockouts.product_id IS 'Product that was missing.';
COMMENT ON COLUMN public.stockouts.started_on IS 'First day without the product in this month.';
COMMENT ON COLUMN public.stockouts.days_out IS 'Number of days without the product in this month.';
COMMENT ON COLUMN public.stockouts.reason IS 'Reason that the store recorded; NULL if it recorded none.';
