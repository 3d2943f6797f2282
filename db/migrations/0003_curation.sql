-- Curation: more names of a record, its ids elsewhere, its history, what imports said of it, and records that were merged.
--
-- Aliases, with a line break between two: each as duplicates compare names.
create function alias_folds(aliases text) returns text[] language sql immutable strict cost 1000
return (select array_agg(name_fold(alias)) from string_to_table(aliases, U&'\000A') alias);
-->
alter table genres add column aliases text;
-->
create index genres_aliases on genres using gin (alias_folds(aliases)) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
create index genres_alias_words on genres using gin (search_words(search_text(aliases))) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
alter index genres_aliases alter column 1 set statistics 0;
-->
alter index genres_alias_words alter column 1 set statistics 0;
-->
alter table brands add column aliases text;
-->
create index brands_aliases on brands using gin (alias_folds(aliases)) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
create index brands_alias_words on brands using gin (search_words(search_text(aliases))) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
alter index brands_aliases alter column 1 set statistics 0;
-->
alter index brands_alias_words alter column 1 set statistics 0;
-->
alter table manufacturers add column aliases text;
-->
create index manufacturers_aliases on manufacturers using gin (alias_folds(aliases)) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
create index manufacturers_alias_words on manufacturers using gin (search_words(search_text(aliases))) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
alter index manufacturers_aliases alter column 1 set statistics 0;
-->
alter index manufacturers_alias_words alter column 1 set statistics 0;
-->
alter table years add column aliases text;
-->
create index years_aliases on years using gin (alias_folds(aliases)) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
create index years_alias_words on years using gin (search_words(search_text(aliases))) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
alter index years_aliases alter column 1 set statistics 0;
-->
alter index years_alias_words alter column 1 set statistics 0;
-->
alter table teams add column aliases text;
-->
create index teams_aliases on teams using gin (alias_folds(aliases)) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
create index teams_alias_words on teams using gin (search_words(search_text(aliases))) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
alter index teams_aliases alter column 1 set statistics 0;
-->
alter index teams_alias_words alter column 1 set statistics 0;
-->
alter table players add column aliases text;
-->
create index players_aliases on players using gin (alias_folds(aliases)) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
create index players_alias_words on players using gin (search_words(search_text(aliases))) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
alter index players_aliases alter column 1 set statistics 0;
-->
alter index players_alias_words alter column 1 set statistics 0;
-->
alter table sets add column aliases text;
-->
create index sets_aliases on sets using gin (alias_folds(aliases)) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
create index sets_alias_words on sets using gin (search_words(search_text(aliases))) with (fastupdate = off)
  where aliases is not null and audience >= 1;
-->
alter index sets_aliases alter column 1 set statistics 0;
-->
alter index sets_alias_words alter column 1 set statistics 0;
-->
alter table players add column disambiguation text;
-->
alter table players add column born_on date;
-->
-- What a record is called elsewhere: its id at a source. It is seen by whoever sees that record.
create table identifiers (
  id uuid primary key,
  object_type text not null,
  object_id uuid not null,
  source text not null check (source ~ '^[a-z0-9-]{1,40}$'),
  value text not null,
  audience smallint not null check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create unique index identifiers_taken on identifiers (value, source, object_type) where deleted_at is null;
-->
create index identifiers_object on identifiers (object_id, source, value, id) include (audience, object_type) where audience >= 1;
-->
create index identifiers_source on identifiers (source, value, id) include (audience, object_type) where audience >= 1;
-->
create index identifiers_live on identifiers (created_at, id) where audience >= 1;
-->
create index identifiers_published on identifiers (created_at, id) where audience >= 2;
-->
create index identifiers_updated_at on identifiers (updated_at, id) include (audience) where audience >= 1;
-->
-- The history of records: each change of one, by whom and by what, with the changed fields before and after. What was made
-- leaves none. Rows come under the lock of their record, so their numbers have the order of its changes.
create sequence revisions_id as bigint cache 1;
-->
create table revisions (
  id bigint primary key default nextval('revisions_id'),
  object_type text not null,
  object_id uuid not null,
  cause text not null
    check (cause in ('request', 'import', 'prune', 'undo', 'merge', 'split', 'revert', 'command')),
  cause_id uuid,
  agent_id text,
  changed_at timestamptz(3) not null,
  before jsonb not null,
  after jsonb not null
);
-->
alter sequence revisions_id owned by revisions.id;
-->
create index revisions_object on revisions (object_id, id);
-->
create index revisions_cause on revisions (cause_id, id) where cause_id is not null;
-->
-- Fields that somebody changed after an import had said something of the record: `said` is what the imports say. `deleted` stands
-- here for whatever a person deleted. An import keeps these fields as they are.
create table curated_fields (
  object_id uuid not null,
  field text not null,
  object_type text not null,
  said jsonb not null,
  primary key (object_id, field)
);
-->
-- What a renamed record is called by imports.
create index curated_fields_name on curated_fields (name_fold(said #>> '{}') collate "C", object_type) where field = 'name';
-->
-- The import that last said something of a record; none has of one that only people wrote.
alter table cards add column import_id uuid;
-->
alter table sets add column import_id uuid;
-->
alter table player_teams add column import_id uuid;
-->
alter table attributes add column import_id uuid;
-->
alter table genres add column import_id uuid;
-->
alter table brands add column import_id uuid;
-->
alter table manufacturers add column import_id uuid;
-->
alter table years add column import_id uuid;
-->
alter table teams add column import_id uuid;
-->
alter table players add column import_id uuid;
-->
-- What an import made, some thousand ids in a row.
create table import_made (
  id uuid primary key,
  import_id uuid not null,
  object_type text not null,
  ids uuid[] not null
);
-->
create index import_made_import on import_made (import_id, id);
-->
-- Records of one type that were merged into another, by whom and why; one that was undone stays as a row.
create table merges (
  id uuid primary key,
  object_type text not null,
  from_ids uuid[] not null,
  into_id uuid not null,
  note text,
  agent_id text,
  created_at timestamptz(3) not null,
  undone_at timestamptz(3)
);
-->
create index merges_newest on merges (id) where undone_at is null;
-->
create index merges_into on merges (into_id, id) where undone_at is null;
-->
create index merges_type on merges (object_type, id) where undone_at is null;
-->
-- Where the id of a merged record leads; the one that it leads to may have been merged since.
create table redirects (
  id uuid primary key,
  object_type text not null,
  into_id uuid not null,
  merge_id uuid not null references merges (id)
);
-->
create index redirects_into on redirects (into_id);
-->
create index redirects_merge on redirects (merge_id);
-->
-- The record to which a merged id leads in the end; null for an id that leads nowhere else.
create function merged_into(old uuid) returns uuid language sql stable as $$
  with recursive chain (id, step) as (
    select into_id, 1 from redirects where id = old
    union all
    select r.into_id, step + 1 from chain join redirects r on r.id = chain.id where step < 1000
  )
  select id from chain order by step desc limit 1
$$;
