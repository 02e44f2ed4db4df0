-- Names as keys, few of them, and a table that has one row for each row of another.
--! key canton (canton_name)
--! key region_of (town_name)
--! link extremes (canton_name) -> canton (canton_name)
--! link mountain (canton_name) -> canton (canton_name)
--! link lake (canton_name) -> canton (canton_name)
--! link inn (town_name) -> region_of (town_name)
--! link address (town_name) -> region_of (town_name)
--! link address (inn_id) -> inn (id)
--! never address (house_number)
--! never inn (rating)
create table canton (canton_name text, population bigint, area double precision, capital text);
create table extremes (canton_name text, highest_elevation text, lowest_point text);
create table mountain (mountain_name text, canton_name text);
create table lake (lake_name text, area double precision, canton_name text);
create table region_of (town_name text, county text, region text);
create table inn (id bigint, name text, food_type text, town_name text, rating real);
create table address (inn_id bigint, house_number bigint, street_name text, town_name text);
insert into canton select 'canton ' || i, i * 1000, i, 'capital ' || i from generate_series(1, 8) i;
insert into extremes select 'canton ' || i, i * 100, 'low ' || i from generate_series(1, 8) i;
insert into mountain select 'mount ' || i, 'canton ' || i % 6 + 1 from generate_series(1, 7) i;
insert into lake select 'lake ' || i, i, 'canton ' || i from generate_series(1, 5) i;
insert into region_of select 'town ' || i, 'county ' || i % 3, 'region ' || i % 2 from generate_series(1, 4) i;
insert into inn select i, 'inn ' || i, 'soup', 'town ' || i % 4 + 1, 4.5 from generate_series(1, 9) i;
insert into address select i, i * 3, 'street ' || i, 'town ' || i % 4 + 1 from generate_series(1, 9) i;
