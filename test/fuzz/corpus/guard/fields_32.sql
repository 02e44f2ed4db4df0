select o.id from orders o join order_items i on i.order_id = o.id join products p on p.id = i.product_id and p.price > i.unit_price
