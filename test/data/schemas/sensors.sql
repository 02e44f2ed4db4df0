-- Facts that have a site and a day in common.
--! key dim_site (site_sk)
--! key dim_device (device_sk)
--! key dim_date (date_key)
--! key dim_metric (metric_key)
--! link fact_reading (site_sk) -> dim_site (site_sk)
--! link fact_reading (device_sk) -> dim_device (device_sk)
--! link fact_reading (date_key) -> dim_date (date_key)
--! link fact_reading (metric_key) -> dim_metric (metric_key)
--! link fact_energy (site_sk) -> dim_site (site_sk)
--! link fact_energy (date_key) -> dim_date (date_key)
--! link fact_ticket (opened_date_key) -> dim_date (date_key)
--! link fact_ticket (closed_date_key) -> dim_date (date_key)
--! link fact_ticket (device_sk) -> dim_device (device_sk)
--! link dim_device (site_sk) -> dim_site (site_sk)
--! sum fact_energy (energy_kwh)
--! sum fact_energy (cost_eur)
--! never fact_reading (reading_value)
--! never fact_reading (epoch_ms)
--! never dim_date (month_number)
--! never dim_date (iso_week)
--! never fact_energy (temperature_c)
--! never fact_energy (co2_intensity)
--! never dim_device (firmware_version)
create table dim_site (site_sk int, site_code text, site_name text, country text, area_sqm int);
create table dim_device (device_sk int, device_serial text, device_model text, site_sk int, firmware_version int, valid_from date, valid_to date, is_current boolean);
create table dim_date (date_key int, full_date date, year int, quarter int, month_number int, month_name text, iso_week int, is_weekend boolean);
create table dim_metric (metric_key int, metric_name text, unit text);
create table fact_reading (device_sk int, site_sk int, date_key int, metric_key int, epoch_ms bigint, reading_value double precision);
create table fact_energy (site_sk int, date_key int, energy_kwh numeric(10,2), cost_eur numeric(10,2), temperature_c numeric(4,1), co2_intensity numeric(6,2));
create table fact_ticket (ticket_no text, device_sk int, opened_date_key int, closed_date_key int, priority int, downtime_minutes int);
insert into dim_site select i, 'S'||i, 'Site '||i, (array['DE','FR','IT'])[1+i%3], 500*i from generate_series(1,9) i;
insert into dim_device select i, 'SN'||1000+i/2, (array['T100','H200'])[1+i%2], 1+i%9, i%4, date '2024-01-01'+i%2*200, case when i%2=0 then date '2024-07-19' end, i%2=1 from generate_series(1,80) i;
insert into dim_date select to_char(d,'YYYYMMDD')::int, d, extract(year from d), extract(quarter from d), extract(month from d), to_char(d,'FMMonth'), extract(week from d), extract(isodow from d)>5 from generate_series(date '2024-01-01', date '2025-12-31', interval '1 day') d;
insert into dim_metric values (1,'temperature','°C'),(2,'humidity','%');
insert into fact_reading select 1+i%80, 1+(1+i%80)%9, to_char(date '2025-01-01'+i%300,'YYYYMMDD')::int, 1+i%2, 1735689600000+i*60000::bigint, 15+(i*7)%20+0.1 from generate_series(1,8000) i;
insert into fact_energy select s, date_key, 100+(s*iso_week)%90, 30+(s*iso_week)%25, 5+iso_week%20, 200+s from generate_series(1,9) s, dim_date where year=2025;
insert into fact_ticket select 'TK'||i, 1+(i*3)%80, to_char(date '2025-01-01'+i%300,'YYYYMMDD')::int, case when i%6<>0 then to_char(date '2025-01-03'+i%300,'YYYYMMDD')::int end, 1+i%4, 5+(i*17)%400 from generate_series(1,500) i;
