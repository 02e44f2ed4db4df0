select (select max(i.quantity) from order_items i join products o on o.id = i.product_id where o.price > 1) from orders o
