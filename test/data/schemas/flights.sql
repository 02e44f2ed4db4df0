-- Codes of airports in columns that name no airport; a number of flights that is no key.
--! key airports (iata)
--! key carriers (carrier)
--! key aircraft (tail_number)
--! key flights (flight_id)
--! key employees (emp_no)
--! key crew_assignments (flight_id, emp_no)
--! key tickets (ticket_no)
--! link flights (origin) -> airports (iata)
--! link flights (destination) -> airports (iata)
--! link flights (carrier) -> carriers (carrier)
--! link flights (tail_number) -> aircraft (tail_number)
--! link aircraft (carrier) -> carriers (carrier)
--! link employees (supervisor_emp_no) -> employees (emp_no)
--! link employees (base_airport) -> airports (iata)
--! link crew_assignments (flight_id) -> flights (flight_id)
--! link crew_assignments (emp_no) -> employees (emp_no)
--! link tickets (flight_id) -> flights (flight_id)
--! sum tickets (fare_amount)
--! sum aircraft (seat_capacity)
--! sum flights (distance_km)
--! never airports (latitude)
--! never airports (elevation_ft)
--! never flights (flight_number)
--! never aircraft (built_year)
--! never tickets (seat_row)
create table airports (iata char(3), name text, city text, country_code char(2), latitude double precision, longitude double precision, elevation_ft int);
create table carriers (carrier text, name text not null);
create table aircraft (tail_number text, carrier text, model text, seat_capacity int, built_year int);
create table flights (flight_id bigint, carrier text, flight_number int, tail_number text, origin char(3), destination char(3), scheduled_departure timestamptz, actual_departure timestamptz, scheduled_arrival timestamptz, actual_arrival timestamptz, distance_km int, cancelled boolean);
create table employees (emp_no int, full_name text, role text, base_airport char(3), supervisor_emp_no int, hired date);
create table crew_assignments (flight_id bigint, emp_no int, position text);
create table tickets (ticket_no bigint, flight_id bigint, passenger_name text, cabin text, seat_row int, seat_letter char(1), fare_amount numeric(9,2), booked_at timestamptz);
insert into airports values ('VIE','Vienna International','Vienna','AT',48.11,16.57,600),('LIS','Humberto Delgado','Lisbon','PT',38.77,-9.13,374),('HAM','Hamburg','Hamburg','DE',53.63,9.99,53),('LHR','Heathrow','London','GB',51.47,-0.45,83),('LGW','Gatwick','London','GB',51.15,-0.19,202),('CDG','Charles de Gaulle','Paris','FR',49.0,2.55,392),('FCO','Fiumicino','Rome','IT',41.8,12.25,13),('OSL','Gardermoen','Oslo','NO',60.19,11.1,681);
insert into carriers values ('OS','Austrian'),('TP','TAP'),('BA','British'),('AF','Air France');
insert into aircraft select 'T'||100+i, (array['OS','TP','BA','AF'])[1+i%4], (array['A320','B737','E195'])[1+i%3], 100+(i%3)*40, 2000+i%20 from generate_series(1,24) i;
insert into flights select i, a.carrier, 100+i%60, a.tail_number, (array['VIE','LIS','HAM','LHR','LGW','CDG','FCO','OSL'])[1+i%8], (array['VIE','LIS','HAM','LHR','LGW','CDG','FCO','OSL'])[1+(i+1+i%5)%8], t, case when i%29<>0 then t+((i*7)%50-8)*interval '1 min' end, t+interval '2 hours', case when i%29<>0 then t+interval '2 hours'+((i*11)%55-12)*interval '1 min' end, 500+(i*37)%1800, i%29=0 from generate_series(1,900) i join aircraft a on a.tail_number='T'||101+i%24, lateral (select timestamptz '2025-03-01 06:00+00'+i*interval '5 hours' t) x;
insert into employees select i, 'Person '||i, (array['pilot','copilot','attendant','attendant'])[1+i%4], (array['VIE','LIS','HAM','LHR'])[1+i%4], case when i>5 then 1+(i*7)%5 end, date '2010-01-01'+i*20 from generate_series(1,90) i;
insert into crew_assignments select f.flight_id, 1+(f.flight_id*4+k*23)%90, (array['captain','first officer','cabin'])[k] from flights f, generate_series(1,3) k;
insert into tickets select i, 1+(i*13)%900, 'Passenger '||i%700, (array['economy','economy','business'])[1+i%3], 1+i%30, substr('ABCDEF',1+i%6,1), 60+(i*17)%400, timestamptz '2025-01-10'+i*interval '1 hour' from generate_series(1,6000) i;
