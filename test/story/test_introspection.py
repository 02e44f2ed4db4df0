"""Models from a live database: declared and inferred relationships."""
import re

import pytest
import yaml

from kit.places import SHARED_DATA

DROP_KEYS = """
do $$
declare c record;
begin
    for c in select conrelid::regclass as of, conname from pg_constraint
              where contype in ('f', 'p', 'u') and connamespace = 'public'::regnamespace
              order by contype = 'f' desc
    loop
        execute format('alter table %s drop constraint %I', c.of, c.conname);
    end loop;
end $$;
"""
FOREIGN_KEYS = """
select c.conrelid::regclass, (select string_agg(a.attname, ',' order by u.n)
         from unnest(c.conkey) with ordinality u(k, n)
         join pg_attribute a on a.attrelid = c.conrelid and a.attnum = u.k),
       c.confrelid::regclass, (select string_agg(a.attname, ',' order by u.n)
         from unnest(c.confkey) with ordinality u(k, n)
         join pg_attribute a on a.attrelid = c.confrelid and a.attnum = u.k)
  from pg_constraint c where c.contype = 'f'
"""


def script(name):
    path = SHARED_DATA / f"{name}.sql"
    if not path.exists():
        pytest.skip(f"{name}.sql is not in {SHARED_DATA} (SEXTANT_SHARED_DATA)")
    text = path.read_text()
    return text.partition("\\c chinook;")[2] or text


@pytest.fixture(scope="module")
def loaded(source):
    """Loads a script once into a database of its own; its foreign keys."""
    known = {}

    def loaded(database, text, keys=True):
        if database not in known:
            source.load(database, text)
            declared = {tuple(r) for r in source.psql(database, FOREIGN_KEYS)}
            if not keys:
                source.psql(database, DROP_KEYS)
            known[database] = declared
        return known[database]
    return loaded


@pytest.fixture
def model_of(service, source):
    def model_of(database, *options):
        service.connect(database, source.url(database))
        done = service.run("import", "--from-database", database, "--print",
                        *options)
        return yaml.safe_load(done.stdout)["semantic_model"][0], done.stderr
    return model_of


def links(model):
    sources = {d["name"]: d["source"].removeprefix("public.")
               for d in model["datasets"]}
    return {(sources[r["from"]], ",".join(r["from_columns"]),
             sources[r["to"]], ",".join(r["to_columns"]))
            for r in model.get("relationships", [])}


@pytest.mark.parametrize("name, most", [("chinook", 11), ("northwind", 13)])
def test_every_declared_foreign_key_is_a_relationship(loaded, model_of, name, most):
    declared = loaded(f"{name}_declared", script(name))
    assert len(declared) == most
    model, _ = model_of(f"{name}_declared")
    assert links(model) >= declared


@pytest.mark.parametrize("name", ["chinook", "northwind"])
def test_without_any_key_the_data_tell_the_relationships(loaded, model_of, name):
    declared = loaded(f"{name}_bare", script(name), keys=False)
    model, said = model_of(f"{name}_bare")
    found = links(model)
    assert len(found & declared) >= 11, (declared - found, said)
    assert len(found - declared) <= 2, found - declared
    for r in model["relationships"]:
        assert "No foreign key is declared" in r["ai_context"]["instructions"]


def test_a_link_between_empty_tables_is_marked_as_by_name(loaded, model_of):
    loaded("northwind_bare", script("northwind"), keys=False)
    model, said = model_of("northwind_bare")
    by_name = [r for r in model["relationships"]
               if "by its name only" in r["ai_context"]["instructions"]]
    assert {r["from"] for r in by_name} == {"customer_customer_demo"}
    assert len(re.findall("^by name: customer_customer_demo", said, re.M)) == 2


CAMEL = '''
create table "Companies" ("Id" int, "Name" text, "parentCompanyId" int);
create table "Staff Members" ("Id" int, "companyId" int, "managerId" int,
                              "Badge ""No""" text, "😀" text);
create table "salesOrders" ("Id" int, "CompanyId" int, "billingAddressId" int,
                            "shippingAddressId" int, "total" numeric(10,2));
create table "Addresses" ("Id" int, "City" text);
create table "orderLines" ("orderId" int, "lineNo" int, "qty" int,
                           "unitPrice" numeric(8,2));
create table "lineReturns" ("Id" int, "orderId" int, "lineNo" int,
                            "reason" text);
insert into "Companies" select i, 'company ' || i, nullif(i / 2, 0)
  from generate_series(1, 20) i;
insert into "Staff Members" select i, i % 20 + 1, nullif(i / 4, 0), 'b' || i,
  'smile' from generate_series(1, 40) i;
insert into "Addresses" select i, 'city ' || i from generate_series(1, 70) i;
insert into "salesOrders" select i, i % 20 + 1, i % 70 + 1, (i * 7) % 70 + 1,
  i * 1.5 from generate_series(1, 300) i;
insert into "orderLines" select i, l, l, 2.5 from generate_series(1, 300) i,
  generate_series(1, 3) l;
insert into "lineReturns" select i, i * 3, 2, 'broken'
  from generate_series(1, 90) i;
'''


def test_other_habits_of_naming_are_understood_too(loaded, model_of, service,
                                                   tmp_path):
    """Camel case, roles, trees, keys of two columns, names that need quotes; and
    what is printed is a model that can be imported."""
    loaded("camel", CAMEL)
    model, said = model_of("camel")
    found = {(r["from"], tuple(r["from_columns"]), r["to"],
              tuple(r["to_columns"])) for r in model["relationships"]}
    assert found >= {
        ("Companies", ("parentCompanyId",), "Companies", ("Id",)),
        ("Staff Members", ("companyId",), "Companies", ("Id",)),
        ("Staff Members", ("managerId",), "Staff Members", ("Id",)),
        ("salesOrders", ("CompanyId",), "Companies", ("Id",)),
        ("salesOrders", ("billingAddressId",), "Addresses", ("Id",)),
        ("salesOrders", ("shippingAddressId",), "Addresses", ("Id",)),
        ("orderLines", ("orderId",), "salesOrders", ("Id",)),
        ("lineReturns", ("orderId", "lineNo"), "orderLines",
         ("orderId", "lineNo"))}, said
    assert len({r["name"] for r in model["relationships"]}) == len(found)
    assert "order_lines_amount" in {m["name"] for m in model["metrics"]}
    (tmp_path / "camel.osi.yaml").write_text(
        service.run("import", "--from-database", "camel", "--print").stdout)
    done = service.run("import", tmp_path / "camel.osi.yaml", "--check")
    assert "error" not in done.stderr, done.stderr
    assert "warning" not in done.stderr, done.stderr


APPLICATION = """
create table blog_users (id int, nickname text, up_votes int);
create table blog_posts (id int, author_id int, post_type_id int,
  post_parent int, created_by int, body text);
create table blog_post_types (id int, name text);
create table blog_vote_types (id int, name text);
create table blog_votes (id int, post_id int, vote_type_id int, link_type_id int);
create table blog_post_tags (id int, post_id int, tag_id int);
create table blog_tags (id int, name text);
create table salesterritory (territoryid int, emailaddress text, sid int);
create table salesorder (salesorderid int, territoryid int, billtoaddressid int);
create table address (addressid int, city text);
insert into blog_users select i, 'u' || i, i % 40 + 1 from generate_series(1, 30) i;
insert into blog_posts select i, i % 30 + 1, i % 3 + 1, i / 3, i % 9 + 1, 'words'
  from generate_series(1, 90) i;
insert into blog_post_types select i, 'p' || i from generate_series(1, 3) i;
insert into blog_vote_types select i, 'v' || i from generate_series(1, 5) i;
insert into blog_votes select i, i % 90 + 1, i % 5 + 1, i % 3 + 1
  from generate_series(1, 80) i;
insert into blog_post_tags select i, i % 90 + 1, i % 12 + 1
  from generate_series(1, 80) i;
insert into blog_tags select i, 't' || i || '@example.org'
  from generate_series(1, 12) i;
insert into salesterritory select i, 'x' || i, i from generate_series(1, 6) i;
insert into salesorder select i, i % 6 + 1, i % 20 + 1 from generate_series(1, 50) i;
insert into address select i, 'c' || i from generate_series(1, 20) i;
create function gone() returns int language plpgsql as
  $$ begin raise exception 'no other server' using errcode = '08001'; end $$;
create view elsewhere as select gone() as id, 1 as amount;
create table bare ();
"""


def test_an_application_without_keys_is_understood(loaded, model_of):
    """Prefixes, users by role, 0 for missing values, compound names, numbers of votes; and
    a view over an unreachable server only loses that view."""
    loaded("application", APPLICATION)
    model, said = model_of("application")
    assert links(model) == {
        ("blog_posts", "author_id", "blog_users", "id"),
        ("blog_posts", "created_by", "blog_users", "id"),
        ("blog_posts", "post_type_id", "blog_post_types", "id"),
        ("blog_posts", "post_parent", "blog_posts", "id"),
        ("blog_votes", "post_id", "blog_posts", "id"),
        ("blog_votes", "vote_type_id", "blog_vote_types", "id"),
        ("blog_post_tags", "post_id", "blog_posts", "id"),
        ("blog_post_tags", "tag_id", "blog_tags", "id"),
        ("salesorder", "territoryid", "salesterritory", "territoryid"),
        ("salesorder", "billtoaddressid", "address", "addressid")}, said
    assert re.search("^perhaps: blog_votes .link_type_id", said, re.M)
    assert "elsewhere" in {d["name"] for d in model["datasets"]}
    assert "queries about the data were refused" in said
    text = yaml.safe_dump(model)
    assert "example.org" not in text and "x1" not in text
    assert not [m for m in model["metrics"] if m["name"].endswith("_sid")]


PERSONS = """
create type mood as enum ('sad', 'fine');
create table customer (customer_id int primary key, name text, email text,
  segment text, mood mood, birth_date date);
comment on table customer is 'Who buys';
insert into customer select i, 'Nobody Inparticular ' || i,
  'nobody' || i || '@example.org', 'segment ' || i % 3, 'fine', date '1990-01-01' + i
  from generate_series(1, 30) i;
create table sale (sale_id int primary key, customer_id int references customer,
  sold_at date not null, amount numeric(10,2)) partition by hash (sale_id);
create table sale_0 partition of sale for values with (modulus 2, remainder 0);
create table sale_1 partition of sale for values with (modulus 2, remainder 1);
insert into sale select i, i % 30 + 1, date '2024-01-01' + i, i
  from generate_series(1, 100) i;
create view best_customer as select customer_id, sum(amount) as amount
  from sale group by 1;
"""


def test_samples_come_from_what_is_not_personal(source, loaded, model_of, service):
    loaded("persons", PERSONS)
    model, _ = model_of("persons")
    datasets = {d["name"]: d for d in model["datasets"]}
    assert set(datasets) == {"customer", "sale", "best_customer"}
    assert datasets["customer"]["description"].startswith("Who buys.")
    fields = {f["name"]: f for f in datasets["customer"]["fields"]}
    assert fields["segment"]["ai_context"]["examples"] == [
        "segment 0", "segment 1", "segment 2"]
    assert fields["mood"]["ai_context"]["examples"] == ["sad", "fine"]
    assert fields["birth_date"]["dimension"]["is_time"] is True
    text = yaml.safe_dump(model)
    assert "Nobody" not in text and "example.org" not in text
    assert "1990" not in text
    assert "From 2024-01-02 to 2024-04-10." in text
    service.connect("unshared", source.url("persons"), "--share-rows", "none")
    text = service.run("import", "--from-database", "unshared", "--print").stdout
    assert "segment 0" not in text and "2024-01-02" not in text


def test_it_becomes_an_ontology_and_a_failure_leaves_the_old_one(
        loaded, source, service, ann):
    loaded("persons", PERSONS)
    service.connect("persons", source.url("persons"))
    made = service.run("import", "--from-database", "persons").stdout.split()[-1]
    it = ann.get(f"/api/ontologies/{made}").data
    assert (it["status"], it["datasetCount"]) == ("ready", 3)
    failed = service.run("import", "--from-database", "persons", "--schema",
                         "no_such_schema", check=False)
    assert failed.returncode == 1
    assert "there is no table" in failed.stderr
    again = ann.get(f"/api/ontologies/{made}").data
    assert again == it
