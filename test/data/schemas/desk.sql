-- Persons without a table of users; what refers to rows of several tables.
--! key tickets (id)
--! key agents (id)
--! key teams (id)
--! key companies (id)
--! key contacts (id)
--! key satisfaction_ratings (id)
--! key comments (id)
--! key categories (id)
--! many comments (commentable_id)
--! many taggings (taggable_id)
--! link taggings (tag_id) -> tags (id)
--! link tickets (assignee_id) -> agents (id)
--! link tickets (requester_id) -> contacts (id)
--! link tickets (categoryId) -> categories (id)
--! link tickets (merged_into_ticket_id) -> tickets (id)
--! link agents (team_id) -> teams (id)
--! link teams (lead_agent_id) -> agents (id)
--! link contacts (company_id) -> companies (id)
--! link satisfaction_ratings (ticket_id) -> tickets (id)
--! link categories (parent_id) -> categories (id)
--! link time_entries (ticket_id) -> tickets (id)
--! link time_entries (agent_id) -> agents (id)
--! sum time_entries (minutes_spent)
--! sum companies (annual_revenue)
--! never satisfaction_ratings (score)
--! never tickets (priority)
--! never teams (sla_hours_limit)
--! never companies (employee_count_band)
--! never companies (discount_rate)
create table teams (id int, name text, lead_agent_id int, sla_hours_limit int);
create table agents (id int, name text, email text, team_id int, deactivated_at timestamptz);
create table companies (id int, name text, annual_revenue bigint, employee_count_band int, discount_rate numeric(4,3));
create table contacts (id int, name text, company_id int, email text);
create table categories (id int, label text, parent_id int);
create table tickets (id int, subject text, requester_id int, assignee_id int, "categoryId" int, priority int, status text, merged_into_ticket_id int, created_at timestamptz, solved_at timestamptz);
create table comments (id int, commentable_type text, commentable_id int, body text);
create table tags (id int, label text);
create table taggings (id int, tag_id int, taggable_type text, taggable_id int);
create table satisfaction_ratings (id int, ticket_id int, score int, rated_at timestamptz);
create table time_entries (id int, ticket_id int, agent_id int, minutes_spent int, worked_on date);
insert into teams select i, (array['Billing','Technical','Sales'])[i], i*5, 8*i from generate_series(1,3) i;
insert into agents select i, 'Agent '||i, 'a'||i||'@d.com', 1+i%3, case when i%12=0 then timestamptz '2025-05-01' end from generate_series(1,24) i;
insert into companies select i, 'Company '||i, 100000*i, 1+i%4, (i%20)/100.0 from generate_series(1,60) i;
insert into contacts select i, 'Contact '||i, 1+(i*7)%60, 'c'||i||'@x.com' from generate_series(1,220) i;
insert into categories select i, 'Cat '||i, case when i>3 then 1+i%3 end from generate_series(1,12) i;
insert into tickets select i, 'Problem '||i, 1+(i*17)%220, case when i%8<>0 then 1+(i*5)%24 end, 1+i%12, 1+i%4, (array['open','pending','solved','solved'])[1+i%4], case when i%40=0 then i-13 end, timestamptz '2025-01-01 09:00+00'+i*interval '3 hours', case when i%4>1 then timestamptz '2025-01-02 09:00+00'+i*interval '3 hours' end from generate_series(1,1600) i;
insert into comments select i, (array['Ticket','Contact'])[1+i%2], 1+(i*7)%200, 'text' from generate_series(1,900) i;
insert into tags select i, 'tag '||i from generate_series(1,8) i;
insert into taggings select i, 1+i%8, (array['Ticket','Company'])[1+i%2], 1+i%55 from generate_series(1,300) i;
insert into satisfaction_ratings select i, i*3, 1+i%5, timestamptz '2025-01-05'+i*interval '9 hours' from generate_series(1,500) i;
insert into time_entries select i, 1+(i*7)%1600, 1+(i*11)%24, 5+(i*13)%90, date '2025-01-02'+i%200 from generate_series(1,2500) i;
