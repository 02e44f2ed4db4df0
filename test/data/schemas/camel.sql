-- Capitals within names, prefixes of tables in capitals.
--! key tkCustomer (tkCustId)
--! key tkTicket (tkTicketId)
--! key tkAgent (tkAgentId)
--! link tkTicket (tkTcCustId) -> tkCustomer (tkCustId)
--! link tkTicket (tkTcAgentId) -> tkAgent (tkAgentId)
--! link tkReply (tkRpTicketId) -> tkTicket (tkTicketId)
--! link tkReply (tkRpAgentId) -> tkAgent (tkAgentId)
--! link tkAgent (tkAgentManagerId) -> tkAgent (tkAgentId)
--! never tkTicket (tkTcPriority)
create table "tkCustomer" ("tkCustId" int, "tkCustName" text, "tkCustEmail" text);
create table "tkAgent" ("tkAgentId" int, "tkAgentName" text, "tkAgentManagerId" int);
create table "tkTicket" ("tkTicketId" int, "tkTcCustId" int, "tkTcAgentId" int, "tkTcPriority" int, "tkTcOpened" timestamp);
create table "tkReply" ("tkRpId" int, "tkRpTicketId" int, "tkRpAgentId" int, "tkRpText" text);
insert into "tkCustomer" select i, 'customer ' || i, 'c' || i || '@example.org' from generate_series(1, 15) i;
insert into "tkAgent" select i, 'agent ' || i, nullif(i / 2, 0) from generate_series(1, 7) i;
insert into "tkTicket" select i, i % 15 + 1, i % 7 + 1, i % 3 + 1, timestamp '2023-05-01' + i * interval '5 hours' from generate_series(1, 40) i;
insert into "tkReply" select i, i % 40 + 1, i % 7 + 1, 'text ' || i from generate_series(1, 60) i;
