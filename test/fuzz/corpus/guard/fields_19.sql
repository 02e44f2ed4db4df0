select t.json_agg from orders t
