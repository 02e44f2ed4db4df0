-- Amounts, and numbers that are none.
--! key account (acct_id)
--! key client (client_id)
--! key branch (branch_id)
--! key card (card_id)
--! link account (client_id) -> client (client_id)
--! link account (branch_id) -> branch (branch_id)
--! link card (acct_id) -> account (acct_id)
--! link movement (acct_id) -> account (acct_id)
--! link balance_daily (acct_id) -> account (acct_id)
--! sum movement (amount)
--! sum movement (fee_amount)
--! never movement (created_epoch)
--! never movement (posted_at_ms)
--! never movement (merchant_code)
--! never movement (fx_rate)
--! never account (credit_limit)
--! never account (max_daily_withdrawal)
--! never account (overdraft_min)
--! never account (interest_pct)
--! never balance_daily (balance)
--! never balance_daily (available)
--! never client (credit_score)
--! never client (utilization)
--! never branch (sort_code)
--! never card (cvc_tries_allowed)
create table client (client_id int, full_name text, email text, credit_score int, utilization numeric(5,4));
create table branch (branch_id int, name text, sort_code int);
create table account (acct_id int, client_id int, branch_id int, credit_limit numeric(10,2), max_daily_withdrawal int, overdraft_min numeric(9,2),
  interest_pct numeric(5,2), iban_check int);
create table card (card_id int, acct_id int, cvc_tries_allowed int, expires date);
create table movement (movement_id int, acct_id int, amount numeric(10,2), fee_amount numeric(8,2), created_epoch bigint, posted_at_ms bigint, merchant_code int, fx_rate numeric(8,4));
create table balance_daily (acct_id int, as_of date, balance numeric(12,2), available numeric(12,2));
insert into client select i, 'name ' || i, 'c' || i || '@example.org', 600 + i, i / 100.0 from generate_series(1, 9) i;
insert into branch select i, 'branch ' || i, 20000 + i from generate_series(1, 3) i;
insert into account select i, i % 9 + 1, i % 3 + 1, 1000, 500, -200, 1.5, 40 + i from generate_series(1, 11) i;
insert into card select i, i % 11 + 1, 3, date '2027-01-01' from generate_series(1, 14) i;
insert into movement select i, i % 11 + 1, i * 4.4, 0.5, 1672531200 + i * 60, 1672531200000 + i * 60000, 5400 + i % 6, 1.0821 from generate_series(1, 50) i;
insert into balance_daily select a, date '2023-01-01' + d, a * d * 10, a * d * 9 from generate_series(1, 11) a, generate_series(1, 6) d;
