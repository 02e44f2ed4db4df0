-- Small numbers everywhere, of which few refer to anything; types next to identifiers that are plain.
--! key vehicle (vehicle_id)
--! key driver (driver_id)
--! key trip (trip_id)
--! link trip (vehicle_id) -> vehicle (vehicle_id)
--! link trip (driver_id) -> driver (driver_id)
--! link login (driver_id) -> driver (driver_id)
--! never trip (floor_no)
--! never trip (device_id)
--! never trip (plan_version)
--! never driver (age)
--! never driver (badge_no)
--! never driver (commission_pct)
--! never vehicle (door_code)
--! never vehicle (list_price)
--! never vehicle (max_load)
--! never login (logged_in_at_epoch)
--! never login (port)
--! sum trip (passengers)
--! sum trip (fare_total)
create table vehicle (vehicle_id int, name text, door_code int, list_price numeric(9,2), max_load int);
create table driver (driver_id int, name text, age int, badge_no int, commission_pct numeric(4,1));
create table trip (trip_id int, vehicle_id int, vehicle_type text, driver_id int, driver_type int, floor_no int, device_id int, device_type text,
  plan_version int, passengers int, fare_total numeric(8,2), row_number int, stage_key int, priority_level int);
create table login (login_id int, driver_id int, device_id text, device_type text, logged_in_at_epoch bigint, port int);
insert into vehicle select i, 'vehicle ' || i, 10 + i, i * 1000, 4 from generate_series(1, 9) i;
insert into driver select i, 'driver ' || i, 30 + i, i, 10.5 from generate_series(1, 12) i;
insert into trip select i, i % 9 + 1, case i % 2 when 0 then 'bus' else 'van' end, i % 12 + 1, i % 2, i % 4 + 1, 700 + i, case i % 2 when 0 then 'phone' else 'tablet' end,
  i % 3 + 1, i % 5 + 1, i * 2.5, i, i % 6 + 1, i % 3 + 1 from generate_series(1, 30) i;
insert into login select i, i % 12 + 1, 'dev' || i, case i % 2 when 0 then 'phone' else 'tablet' end, 1700000000 + i, 443 from generate_series(1, 20) i;
