-- Cardstock's database. `db/schema` describes the tables and columns for code; here is how they are made, room by room, each
-- with its indexes, checks, views and triggers. A line `-->` stands between two statements.

-- What is everywhere: ids are UUIDs that the service makes, in the order of time. `audience` says who may see a row: 0 nobody
-- (deleted), 1 readers of drafts, 2 everyone. `version` counts the changes of a record. `…_key` is the form that lists sort and
-- look up by, always with collate "C". Tables that are rewritten all the time keep room in their pages (fillfactor) and are
-- vacuumed early.
create extension if not exists pg_trgm;
-->

-- ── Words of names ─────────────────────────────────────────────────────────────────────────────────────────────────

-- What search compares: words in lower case, without accents and signs. src/catalog/search/words.ts says the same for a query's
-- words. None of these functions is parallel safe: a search must not wait for workers, whose start takes longer than it does.
create function search_text(value text) returns text language plpgsql immutable strict cost 1000 as $$
begin
  return ' ' || btrim(regexp_replace(translate(lower(regexp_replace(
    regexp_replace(normalize(translate(value, '™℠', '  '), NFKD), '[\u0300-\u036f''.`\u2018\u2019\u02bc\u00b7]', '', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\ufe0f\U0001F000-\U0001FAFF]+', ' ', 'g'
  )), 'øłđðıς', 'olddiσ'), '([^ ]{40})[^ ]+', '\1', 'g')) || ' ';
end
$$;
-->
create function search_words(words text) returns tsvector language sql immutable strict cost 10000
return array_to_tsvector(string_to_array(btrim(words), ' '));
-->
-- The words of a name that may be misspelt: those of four to twenty letters.
create function words_of(name text) returns setof text language sql immutable strict as $$
  select w collate "C" from string_to_table(btrim(search_text(name)), ' ') w where length(w) between 4 and 20 and w !~ '[0-9]'
$$;
-->
-- What a word is found by: itself, and what is left of it without one letter, from eight letters on without two. Words that
-- nearly agree have one of these in common.
create function word_forms(word text) returns tsvector language plpgsql immutable strict cost 10000 as $$
declare
  forms text[] := array[word];
  size int := length(word);
begin
  for i in 1 .. size loop
    forms := forms || (left(word, i - 1) || substr(word, i + 1));
    continue when size < 8;
    for j in i + 1 .. size loop
      forms := forms || (left(word, i - 1) || substr(word, i + 1, j - i - 1) || substr(word, j + 1));
    end loop;
  end loop;
  return array_to_tsvector(forms);
end
$$;
-->
-- The words of all names, each once: search looks for near misses here, then for the names that have the words it found.
create table words (word text collate "C" primary key);
-->
create index words_forms on words using gin (word_forms(word)) with (fastupdate = off);
-->
-- An index of words has no statistics: to make them, ANALYZE would compute the words of each row of its sample, which takes
-- longer than all the rest, and on the embedded database everyone waits.
alter index words_forms alter column 1 set statistics 0;
-->

-- ── What sets and cards refer to ───────────────────────────────────────────────────────────────────────────────────

-- Sports and other subjects.
create table genres (
  id uuid primary key,
  name text not null,
  description text,
  name_key text generated always as (lower(name)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create unique index genres_name_taken on genres (name_key collate "C") where deleted_at is null;
-->
create index genres_live on genres (name_key collate "C", id) where audience >= 1;
-->
create index genres_published on genres (name_key collate "C", id) where audience >= 2;
-->
create index genres_like on genres using gin (name_key gin_trgm_ops) where audience >= 1;
-->
create index genres_created_at on genres (created_at, id) include (audience) where audience >= 1;
-->
create index genres_updated_at on genres (updated_at, id) include (audience) where audience >= 1;
-->
create index genres_words on genres using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
alter index genres_words alter column 1 set statistics 0;
-->
-- Brands.
create table brands (
  id uuid primary key,
  name text not null,
  description text,
  name_key text generated always as (lower(name)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create unique index brands_name_taken on brands (name_key collate "C") where deleted_at is null;
-->
create index brands_live on brands (name_key collate "C", id) where audience >= 1;
-->
create index brands_published on brands (name_key collate "C", id) where audience >= 2;
-->
create index brands_like on brands using gin (name_key gin_trgm_ops) where audience >= 1;
-->
create index brands_created_at on brands (created_at, id) include (audience) where audience >= 1;
-->
create index brands_updated_at on brands (updated_at, id) include (audience) where audience >= 1;
-->
create index brands_words on brands using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
alter index brands_words alter column 1 set statistics 0;
-->
-- Companies that print cards.
create table manufacturers (
  id uuid primary key,
  name text not null,
  description text,
  name_key text generated always as (lower(name)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create unique index manufacturers_name_taken on manufacturers (name_key collate "C") where deleted_at is null;
-->
create index manufacturers_live on manufacturers (name_key collate "C", id) where audience >= 1;
-->
create index manufacturers_published on manufacturers (name_key collate "C", id) where audience >= 2;
-->
create index manufacturers_like on manufacturers using gin (name_key gin_trgm_ops) where audience >= 1;
-->
create index manufacturers_created_at on manufacturers (created_at, id) include (audience) where audience >= 1;
-->
create index manufacturers_updated_at on manufacturers (updated_at, id) include (audience) where audience >= 1;
-->
create index manufacturers_words on manufacturers using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
alter index manufacturers_words alter column 1 set statistics 0;
-->
-- Years and seasons, by name: 1986-87.
create table years (
  id uuid primary key,
  name text not null,
  name_key text generated always as (lower(name)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create unique index years_name_taken on years (name_key collate "C") where deleted_at is null;
-->
create index years_live on years (name_key collate "C", id) where audience >= 1;
-->
create index years_published on years (name_key collate "C", id) where audience >= 2;
-->
create index years_like on years using gin (name_key gin_trgm_ops) where audience >= 1;
-->
create index years_created_at on years (created_at, id) include (audience) where audience >= 1;
-->
create index years_updated_at on years (updated_at, id) include (audience) where audience >= 1;
-->
create index years_words on years using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
alter index years_words alter column 1 set statistics 0;
-->
-- Marks that a card may bear. `attribute` is the code (RC), `name` says it in full.
create table attributes (
  id uuid primary key,
  attribute text not null,
  name text not null,
  description text,
  color text,
  name_key text generated always as (lower(name)) stored,
  attribute_key text generated always as (lower(attribute)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create unique index attributes_attribute_taken on attributes (attribute_key collate "C") where deleted_at is null;
-->
create index attributes_live on attributes (attribute_key collate "C", id) where audience >= 1;
-->
create index attributes_published on attributes (attribute_key collate "C", id) where audience >= 2;
-->
create index attributes_name on attributes (name_key collate "C") where audience >= 1;
-->
create index attributes_created_at on attributes (created_at, id) include (audience) where audience >= 1;
-->
create index attributes_updated_at on attributes (updated_at, id) include (audience) where audience >= 1;
-->
-- Teams; two may have the same name.
create table teams (
  id uuid primary key,
  name text not null,
  location text,
  abbreviation text,
  name_key text generated always as (lower(name)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create index teams_live on teams (name_key collate "C", id) where audience >= 1;
-->
create index teams_published on teams (name_key collate "C", id) where audience >= 2;
-->
create index teams_like on teams using gin (name_key gin_trgm_ops) where audience >= 1;
-->
create index teams_created_at on teams (created_at, id) include (audience) where audience >= 1;
-->
create index teams_updated_at on teams (updated_at, id) include (audience) where audience >= 1;
-->
create index teams_words on teams using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
alter index teams_words alter column 1 set statistics 0;
-->
-- Players; two may have the same name. First and last names are found by a hash: they may be longer than an index row.
create table players (
  id uuid primary key,
  first_name text not null,
  last_name text not null,
  position text,
  name text not null,
  name_key text generated always as (lower(name)) stored,
  first_name_key text generated always as (lower(first_name)) stored,
  last_name_key text generated always as (lower(last_name)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create index players_live on players (name_key collate "C", id) where audience >= 1;
-->
create index players_published on players (name_key collate "C", id) where audience >= 2;
-->
create index players_like on players using gin (name_key gin_trgm_ops) where audience >= 1;
-->
create index players_first_name on players ((md5(first_name)::uuid), name_key collate "C", id) include (audience) where audience >= 1;
-->
create index players_last_name on players ((md5(last_name)::uuid), name_key collate "C", id) include (audience) where audience >= 1;
-->
create index players_created_at on players (created_at, id) include (audience) where audience >= 1;
-->
create index players_updated_at on players (updated_at, id) include (audience) where audience >= 1;
-->
create index players_words on players using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
alter index players_words alter column 1 set statistics 0;
-->
-- A player on a team, one live record for a pair. The name holds both names and may be long, so the key is cut where an index
-- row ends. In a mirror a yielded pair is one that the source has since given to another record: until its own change
-- comes, both stand.
create table player_teams (
  id uuid primary key,
  player_id uuid not null references players (id),
  team_id uuid not null references teams (id),
  name text not null,
  name_key text generated always as (left(lower(name), 600)) stored,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  is_yielded boolean not null default false
);
-->
create unique index player_teams_pair on player_teams (player_id, team_id) where not is_yielded;
-->
create index player_teams_live on player_teams (name_key collate "C", id) where audience >= 1;
-->
create index player_teams_published on player_teams (name_key collate "C", id) where audience >= 2;
-->
create index player_teams_player on player_teams (player_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index player_teams_team on player_teams (team_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index player_teams_created_at on player_teams (created_at, id) include (audience) where audience >= 1;
-->
create index player_teams_updated_at on player_teams (updated_at, id) include (audience) where audience >= 1;
-->

-- ── Sets ───────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Sets, inserts and parallels. `no` is a set's place in the order of the whole catalog, `year_key` the key of its year,
-- `live_cards` counts its cards. The status decides who sees the set and all of its cards.
create table sets (
  id uuid primary key,
  no int not null unique,
  name text not null,
  name_key text generated always as (lower(name)) stored,
  description text,
  status text not null default 'draft' check (status in ('draft', 'published')),
  kind text not null default 'base' check (kind in ('base', 'parallel', 'insert', 'autograph', 'variation')),
  release_date date,
  genre_id uuid references genres (id),
  year_id uuid references years (id),
  year_key text,
  brand_id uuid references brands (id),
  manufacturer_id uuid references manufacturers (id),
  parent_id uuid references sets (id),
  live_cards int not null default 0,
  audience smallint not null default 1 check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
-- Lists of all sets and lists of those without a parent (roots) have indexes of their own.
create index sets_no_live on sets (no) include (id, live_cards) where audience >= 1;
-->
create index sets_no_published on sets (no) include (id, live_cards) where audience >= 2;
-->
create index sets_name_all on sets (name_key collate "C", id) include (audience) where audience >= 1;
-->
create index sets_name_roots on sets (name_key collate "C", id) include (audience) where audience >= 1 and parent_id is null;
-->
create index sets_genre_all on sets (genre_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index sets_genre_roots on sets (genre_id, name_key collate "C", id) include (audience) where audience >= 1 and parent_id is null;
-->
create index sets_year_all on sets (year_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index sets_year_roots on sets (year_id, name_key collate "C", id) include (audience) where audience >= 1 and parent_id is null;
-->
create index sets_brand_all on sets (brand_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index sets_brand_roots on sets (brand_id, name_key collate "C", id) include (audience) where audience >= 1 and parent_id is null;
-->
create index sets_manufacturer_all on sets (manufacturer_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index sets_manufacturer_roots on sets (manufacturer_id, name_key collate "C", id) include (audience) where audience >= 1 and parent_id is null;
-->
create index sets_parent on sets (parent_id, name_key collate "C", id) include (audience) where audience >= 1 and parent_id is not null;
-->
create index sets_year_key_all on sets (year_key collate "C", id) include (audience) where audience >= 1;
-->
create index sets_year_key_roots on sets (year_key collate "C", id) include (audience) where audience >= 1 and parent_id is null;
-->
create index sets_created_at_all on sets (created_at, id) include (audience) where audience >= 1;
-->
create index sets_created_at_roots on sets (created_at, id) include (audience) where audience >= 1 and parent_id is null;
-->
create index sets_updated_at_all on sets (updated_at, id) include (audience) where audience >= 1;
-->
create index sets_updated_at_roots on sets (updated_at, id) include (audience) where audience >= 1 and parent_id is null;
-->
-- Drafts, in the order of their creation; sets that not everyone sees.
create index sets_draft on sets (no) include (id) where audience = 1;
-->
create index sets_hidden on sets (no) include (audience) where audience < 2;
-->
create index sets_release_date on sets (release_date, id) include (audience) where audience >= 1;
-->
create index sets_kind on sets (kind, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index sets_status on sets (status, name_key collate "C", id) include (audience) where audience >= 1;
-->
-- The sets of a genre, year, brand or manufacturer in checklist order: their cards are listed set by set.
create index sets_genre_no on sets (genre_id, no) include (id, live_cards, audience) where audience >= 1;
-->
create index sets_year_no on sets (year_id, no) include (id, live_cards, audience) where audience >= 1;
-->
create index sets_brand_no on sets (brand_id, no) include (id, live_cards, audience) where audience >= 1;
-->
create index sets_manufacturer_no on sets (manufacturer_id, no) include (id, live_cards, audience) where audience >= 1;
-->
create index sets_like on sets using gin (name_key gin_trgm_ops) where audience >= 1;
-->
create index sets_words on sets using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
alter index sets_words alter column 1 set statistics 0;
-->
-- Pages and papers that a checklist was taken from.
create table set_sources (
  id uuid primary key,
  set_id uuid not null references sets (id) on delete cascade,
  source_url text not null,
  title text,
  notes text,
  audience smallint not null check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create index set_sources_live on set_sources (created_at, id) where audience >= 1;
-->
create index set_sources_published on set_sources (created_at, id) where audience >= 2;
-->
create index set_sources_set on set_sources (set_id, created_at, id);
-->
create index set_sources_updated_at on set_sources (updated_at, id) include (audience) where audience >= 1;
-->

-- ── Cards ──────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Cards; who sees one is decided by its set, whose place it carries. `number_key` sorts as collectors do. `oncard_ids` (p, t or x
-- and the id of each entry), `attribute_ids` and `image_ids` hold the relationships as a reader wants them.
create table cards (
  id uuid primary key,
  set_id uuid not null references sets (id),
  set_no int not null,
  number text,
  number_key text not null,
  name text not null,
  serial_number text,
  image_uuid uuid,
  title text,
  notes text,
  parent_id uuid references cards (id),
  has_player boolean not null default false,
  has_team boolean not null default false,
  oncard_ids text,
  attribute_ids text,
  image_ids text,
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create index cards_checklist on cards (set_id, number_key collate "C", id) where deleted_at is null;
-->
create index cards_name on cards ((md5(name)::uuid), set_no, number_key collate "C", id) where deleted_at is null;
-->
create index cards_parent on cards (parent_id, set_no, number_key collate "C", id) where parent_id is not null;
-->
create index cards_image on cards (image_uuid) where image_uuid is not null;
-->
-- How many cards of a set have an image.
create index cards_imaged on cards (set_id) where image_ids is not null and deleted_at is null;
-->
create index cards_created_at on cards (created_at, id) include (set_id) where deleted_at is null;
-->
create index cards_updated_at on cards (updated_at, id) include (set_id) where deleted_at is null;
-->
-- A name may be longer than an index row: its key is cut.
create index cards_name_key on cards ((left(lower(name), 600)) collate "C", id) where deleted_at is null;
-->
create index cards_number on cards (number_key collate "C", set_no, id) include (number) where deleted_at is null;
-->
-- The N of a serial number /N.
create index cards_serial_limit on cards (
  ((substring(serial_number from '/ ?([0-9]{1,9})$'))::int), set_no, number_key collate "C", id
) where deleted_at is null and serial_number is not null;
-->
-- Few cards have a title; names of cards need no index of words (docs/decisions/0011).
create index cards_title_words on cards using gin (search_words(search_text(title)))
  with (fastupdate = off) where title is not null and deleted_at is null;
-->
alter index cards_title_words alter column 1 set statistics 0;
-->
-- Who is on a card, in order; an entry of a player-team fills all three ids. `lists_…` is true on the first entry of a live card
-- with that player, team or pair, so that a list shows the card once. The key answers who is on a card without the table.
create table oncard (
  card_id uuid not null references cards (id) on delete cascade,
  position smallint not null,
  player_id uuid references players (id),
  team_id uuid references teams (id),
  player_team_id uuid references player_teams (id),
  set_no int not null,
  number_key text not null,
  lists_player boolean not null,
  lists_team boolean not null,
  lists_player_team boolean not null,
  primary key (card_id, position) include (player_id, team_id)
);
-->
create index oncard_player on oncard (player_id, set_no, number_key collate "C", card_id) where lists_player;
-->
create index oncard_team on oncard (team_id, set_no, number_key collate "C", card_id) where lists_team;
-->
create index oncard_player_team on oncard (player_team_id, set_no, number_key collate "C", card_id) where lists_player_team;
-->
-- Who is on the cards with a number.
create index oncard_number on oncard (number_key collate "C", set_no, card_id) include (player_id, team_id);
-->
-- Cards that may have several players.
create index oncard_several on oncard (card_id) where position > 0 and lists_player;
-->
-- The attributes of a card, with the card's place beside them.
create table card_attributes (
  card_id uuid not null references cards (id) on delete cascade,
  attribute_id uuid not null references attributes (id),
  set_no int not null,
  number_key text not null,
  primary key (card_id, attribute_id)
);
-->
create index card_attributes_attribute on card_attributes (attribute_id, set_no, number_key collate "C", card_id);
-->
-- A value of an attribute on a card, set, player or team: one live value for each.
create table object_attributes (
  id uuid primary key,
  attribute_id uuid not null references attributes (id),
  attribute_value text not null,
  object_type text not null check (object_type in ('card', 'set', 'player', 'team')),
  object_id uuid not null,
  audience smallint not null check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create index object_attributes_live on object_attributes (created_at, id) where audience >= 1;
-->
create index object_attributes_published on object_attributes (created_at, id) where audience >= 2;
-->
create index object_attributes_attribute on object_attributes (attribute_id, created_at, id);
-->
create index object_attributes_object on object_attributes (object_id, created_at, id);
-->
create index object_attributes_type on object_attributes (object_type, created_at, id) include (audience) where audience >= 1;
-->
create unique index object_attributes_taken on object_attributes (object_id, attribute_id, object_type) where deleted_at is null;
-->
create index object_attributes_updated_at on object_attributes (updated_at, id) include (audience) where audience >= 1;
-->
-- Images of cards; the files lie in DATA_DIR or in S3.
create table card_images (
  id uuid primary key,
  card_id uuid not null references cards (id) on delete cascade,
  content_type text not null,
  width int not null,
  height int not null,
  bytes int not null,
  variants jsonb not null,
  audience smallint not null check (audience between 0 and 2),
  version bigint not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
-->
create index card_images_live on card_images (created_at, id) where audience >= 1;
-->
create index card_images_published on card_images (created_at, id) where audience >= 2;
-->
create index card_images_card on card_images (card_id, created_at, id);
-->
create index card_images_updated_at on card_images (updated_at, id) include (audience) where audience >= 1;
-->
-- Image files that no row owns: an upload under way, or what was erased. They are deleted after `loose_from`.
create table loose_images (
  id uuid primary key,
  loose_from timestamptz(3) not null
);
-->
create index loose_images_loose_from on loose_images (loose_from);
-->

-- ── Counts ─────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Numbers that are given once: the last place of a set. The row `sets.erasing` is a lock and counts nothing.
create table counters (
  name text primary key,
  value bigint not null
) with (fillfactor = 50);
-->
-- How many rows of a list belong to an id: totals of lists, what a DELETE must refuse, and what is published. The numbers of lists
-- stand in src/catalog/model/counts.ts; an id of all f's is the whole list.
create table tallies (
  list smallint not null,
  id uuid not null,
  live bigint not null default 0,
  published bigint not null default 0,
  live_roots bigint not null default 0,
  published_roots bigint not null default 0,
  primary key (list, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
-- Cards in each 64 sets (level 1: no >> 6) and each 4,096 sets (level 2: no >> 12): any page is found without counting rows.
create table card_blocks (
  level smallint not null,
  block int not null,
  live int not null default 0,
  published int not null default 0,
  primary key (level, block)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
-- The counts of /v1/stats, a row a day.
create table stats_days (
  day date primary key,
  counts jsonb not null
);
-->

-- ── The feed ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- What happened, written in the transaction that did it: `ids` of one type that moved between the same two audiences. A sequencer
-- gives `no` after the commit, so that no number appears behind a later one. `noted_at` is the database's clock under the
-- writer's locks, so that two changes of one record keep their order.
create table changes (
  id uuid primary key,
  no bigint,
  type text not null,
  ids uuid[] not null,
  audience_before smallint not null,
  audience_after smallint not null,
  changed_at timestamptz(3) not null,
  noted_at timestamptz not null default clock_timestamp()
);
-->
create unique index changes_no on changes (no) where no is not null;
-->
create index changes_unnumbered on changes (noted_at, id) where no is null;
-->
-- One row: the last number that was given.
create table feed (
  one boolean primary key default true check (one),
  last bigint not null
) with (fillfactor = 50);
-->
insert into feed (last) values (0);
-->
-- The catalog as files. Those of one generation were written together; the feed goes on from `feed_no`.
create table bulk_files (
  id uuid primary key,
  generation uuid not null,
  resource text not null,
  count bigint not null,
  bytes bigint not null,
  sha256 text not null,
  feed_no bigint not null,
  generated_at timestamptz(3) not null
);
-->

-- ── The way of a set to publication ────────────────────────────────────────────────────────────────────────────────

-- There for as long as the set has todos; the row is the lock of whoever changes one. Audience, year and genre are the set's.
create table workflows (
  set_id uuid primary key references sets (id) on delete cascade,
  id uuid not null unique,
  audience smallint not null check (audience between 0 and 2),
  year_id uuid,
  genre_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
) with (fillfactor = 80);
-->
create index workflows_draft on workflows (set_id) where audience = 1;
-->
-- The steps of a workflow. `actionable` says that no earlier step is open, `live` that the set is not deleted; year and genre are
-- the set's, all zeros where it has none.
create table set_todos (
  id uuid primary key,
  set_id uuid not null references workflows (set_id) on delete cascade,
  step text not null check (step in
    ('discover_sources', 'fetch', 'parse', 'populate', 'validate', 'cleanup', 'publish', 'audit')),
  status text not null check (status in ('pending', 'in_progress', 'completed', 'skipped', 'review')),
  sort_order int not null,
  started_at timestamptz(3),
  completed_at timestamptz(3),
  completed_by text,
  notes text,
  issues_found boolean,
  actionable boolean not null,
  live boolean not null,
  year_id uuid not null,
  genre_id uuid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((status in ('completed', 'skipped')) = (completed_at is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-->
create unique index set_todos_step on set_todos (set_id, step);
-->
create index set_todos_actionable on set_todos (step, status, year_id, genre_id, updated_at, id) where actionable and live;
-->
-- How many todos each part of that index holds: the totals of lists, and where their first rows are.
create table todo_counts (
  step text not null,
  status text not null,
  year_id uuid not null,
  genre_id uuid not null,
  todos int not null,
  primary key (step, status, year_id, genre_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->

-- ── The truth ──────────────────────────────────────────────────────────────────────────────────────────────────────

-- What every maintained name, count and flag must be, recomputed from the rows: tests and `cardstock doctor` compare.
create view card_names as
select c.id, concat_ws(' ',
  nullif(c.number, ''),
  (
    select string_agg(case when o.player_id is not null then p.name else t.name end, ' / ' order by o.position)
    from oncard o left join players p on p.id = o.player_id left join teams t on t.id = o.team_id
    where o.card_id = c.id
  ),
  nullif(c.title, ''),
  (
    select string_agg(a.attribute, ' ' order by a.attribute collate "C")
    from card_attributes m join attributes a on a.id = m.attribute_id
    where m.card_id = c.id
  ),
  nullif(c.serial_number, '')
) as name
from cards c;
-->
-- Lists 4 and 5 count cards by number and by the N of a serial number /N; list 1 counts sets by kind, too.
create view true_tallies as
with live_cards as (
  select c.id, c.number, c.serial_number, s.audience from cards c join sets s on s.id = c.set_id
  where c.deleted_at is null and s.audience >= 1
), borne as (
  select distinct c.id as card, c.audience, b.id as bearer
  from live_cards c join oncard o on o.card_id = c.id
  cross join lateral (values (o.player_id), (o.team_id), (o.player_team_id)) as b (id)
  where b.id is not null
  union
  select c.id, c.audience, m.attribute_id from live_cards c join card_attributes m on m.card_id = c.id
), whole as (select 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid as id),
counted (list, id, audience, is_root) as (
  select 1, r.id, s.audience, s.parent_id is null
  from sets s cross join whole w
  cross join lateral (values (s.genre_id), (s.year_id), (s.brand_id), (s.manufacturer_id), (s.parent_id), (w.id), ((case s.kind
    when 'base' then '00000000-0000-0000-0000-000000000001' when 'parallel' then '00000000-0000-0000-0000-000000000002'
    when 'insert' then '00000000-0000-0000-0000-000000000003' when 'autograph' then '00000000-0000-0000-0000-000000000004'
    else '00000000-0000-0000-0000-000000000005' end)::uuid)
  ) as r (id)
  where r.id is not null
  union all select 2, bearer, audience, false from borne
  union all
  select 4, coalesce(md5(number)::uuid, '00000000-0000-0000-0000-000000000000'), audience, false from live_cards
  union all
  select 5, ('00000000-0000-0000-0000-' || lpad((limited.digits::int)::text, 12, '0'))::uuid, audience, false
  from live_cards cross join lateral (select substring(serial_number from '/ ?([0-9]{1,9})$')) as limited (digits)
  where limited.digits is not null
  union all
  select 3, r.id, pt.audience, false from player_teams pt cross join whole w
  cross join lateral (values (pt.player_id), (pt.team_id), (w.id)) as r (id)
  union all select 10, w.id, e.audience, false from attributes e cross join whole w
  union all select 11, w.id, e.audience, false from brands e cross join whole w
  union all select 12, w.id, e.audience, false from genres e cross join whole w
  union all select 13, w.id, e.audience, false from manufacturers e cross join whole w
  union all select 14, w.id, e.audience, false from years e cross join whole w
  union all select 15, w.id, e.audience, false from players e cross join whole w
  union all select 16, w.id, e.audience, false from teams e cross join whole w
  union all
  select 20, r.id, o.audience, false from object_attributes o cross join whole w
  cross join lateral (values (o.attribute_id), (o.object_id), (w.id), ((case o.object_type
    when 'card' then '00000000-0000-0000-0000-000000000001' when 'set' then '00000000-0000-0000-0000-000000000002'
    when 'player' then '00000000-0000-0000-0000-000000000003' else '00000000-0000-0000-0000-000000000004' end)::uuid)
  ) as r (id)
  union all
  select 21, r.id, i.audience, false from card_images i cross join whole w
  cross join lateral (values (i.card_id), (w.id)) as r (id)
  union all
  select 22, r.id, x.audience, false from set_sources x cross join whole w
  cross join lateral (values (x.set_id), (w.id)) as r (id)
)
select list::smallint as list, id,
  count(*) filter (where audience >= 1) as live, count(*) filter (where audience >= 2) as published,
  count(*) filter (where audience >= 1 and is_root) as live_roots,
  count(*) filter (where audience >= 2 and is_root) as published_roots
from counted group by list, id;
-->
create view true_blocks as
select level, case level when 1 then s.no >> 6 else s.no >> 12 end as block,
  count(*) as live, count(*) filter (where s.audience >= 2) as published
from cards c join sets s on s.id = c.set_id cross join (values (1), (2)) as levels (level)
where c.deleted_at is null and s.audience >= 1
group by 1, 2;
-->
create view true_todos as
with pipeline (step, place) as (
  values ('discover_sources', 1), ('fetch', 2), ('parse', 3), ('populate', 4), ('validate', 5), ('publish', 6)
), none as (select '00000000-0000-0000-0000-000000000000'::uuid as id)
select t.id, t.step, t.status, s.audience >= 1 as live, coalesce(s.year_id, none.id) as year_id,
  coalesce(s.genre_id, none.id) as genre_id,
  not exists (
    select 1 from set_todos o join pipeline q on q.step = o.step
    where o.set_id = t.set_id and q.place < p.place and o.status not in ('completed', 'skipped')
  ) as actionable
from set_todos t join sets s on s.id = t.set_id cross join none left join pipeline p on p.step = t.step;
-->
-- One row for each maintained value of the catalog that is not what it must be.
create view catalog_drift as
select 'tally' as what, coalesce(t.list, m.list)::text || ' ' || coalesce(t.id, m.id)::text as place,
  concat_ws('/', t.live, t.published, t.live_roots, t.published_roots) as stored,
  concat_ws('/', m.live, m.published, m.live_roots, m.published_roots) as truth
from tallies t full join true_tallies m on m.list = t.list and m.id = t.id
where (coalesce(t.live, 0), coalesce(t.published, 0)) <> (coalesce(m.live, 0), coalesce(m.published, 0))
  or (coalesce(t.list, m.list) = 1
    and (coalesce(t.live_roots, 0), coalesce(t.published_roots, 0)) <> (coalesce(m.live_roots, 0), coalesce(m.published_roots, 0)))
union all
select 'block', coalesce(b.level::int, m.level)::text || ' ' || coalesce(b.block, m.block)::text,
  concat_ws('/', b.live, b.published), concat_ws('/', m.live, m.published)
from card_blocks b full join true_blocks m on m.level = b.level and m.block = b.block
where (coalesce(b.live, 0), coalesce(b.published, 0)) <> (coalesce(m.live, 0), coalesce(m.published, 0))
union all
select 'cards of set', s.id::text, s.live_cards::text, count(c.id)::text
from sets s left join cards c on c.set_id = s.id and c.deleted_at is null
group by s.id having s.live_cards <> count(c.id)
union all
select 'card name', c.id::text, c.name, n.name
from cards c join card_names n on n.id = c.id where c.deleted_at is null and c.name <> n.name
union all
select 'card place', c.id::text, c.set_no::text, s.no::text from cards c join sets s on s.id = c.set_id where c.set_no <> s.no
union all
select 'entry', o.card_id::text || ' ' || o.position, o.set_no || ' ' || o.number_key, c.set_no || ' ' || c.number_key
from oncard o join cards c on c.id = o.card_id
where (o.set_no, o.number_key) <> (c.set_no, c.number_key) and c.deleted_at is null
union all
select 'relationships of card', c.id::text, concat_ws(' ', c.oncard_ids, c.attribute_ids, c.image_ids),
  concat_ws(' ', e.ids, m.ids, i.ids)
from cards c
left join (
  select card_id, string_agg(case when player_team_id is not null then 'x' || player_team_id
    when player_id is not null then 'p' || player_id else 't' || team_id end, ',' order by position) as ids
  from oncard group by card_id
) e on e.card_id = c.id
left join (
  select m.card_id, string_agg(a.id::text, ',' order by a.attribute collate "C", a.id) as ids
  from card_attributes m join attributes a on a.id = m.attribute_id group by m.card_id
) m on m.card_id = c.id
left join (
  select card_id, string_agg(id::text, ',' order by created_at, id) as ids
  from card_images where deleted_at is null group by card_id
) i on i.card_id = c.id
where c.deleted_at is null and (c.oncard_ids is distinct from e.ids or c.attribute_ids is distinct from m.ids
  or c.image_ids is distinct from i.ids)
union all
select 'set audience', id::text, audience::text, status from sets
where audience <> case when deleted_at is not null then 0 when status = 'published' then 2 else 1 end
union all
select e.type || ' audience', e.id::text, e.audience::text, coalesce(t.published, 0)::text
from (
  select 'brand' as type, 1 as list, id, audience, deleted_at from brands
  union all select 'genre', 1, id, audience, deleted_at from genres
  union all select 'manufacturer', 1, id, audience, deleted_at from manufacturers
  union all select 'year', 1, id, audience, deleted_at from years
  union all select 'player', 2, id, audience, deleted_at from players
  union all select 'team', 2, id, audience, deleted_at from teams
  union all select 'player-team', 2, id, audience, deleted_at from player_teams
) e left join tallies t on t.list = e.list and t.id = e.id
where e.audience <> case when e.deleted_at is not null then 0 when coalesce(t.published, 0) > 0 then 2 else 1 end
union all
select 'image audience', i.id::text, i.audience::text, s.audience::text
from card_images i join cards c on c.id = i.card_id join sets s on s.id = c.set_id
where i.audience <> case when i.deleted_at is not null or c.deleted_at is not null then 0 else s.audience end
union all
select 'source audience', x.id::text, x.audience::text, s.audience::text
from set_sources x join sets s on s.id = x.set_id
where x.audience <> case when x.deleted_at is not null then 0 else s.audience end
union all
select 'year of set', s.id::text, s.year_key, y.name_key
from sets s left join years y on y.id = s.year_id where s.year_key is distinct from y.name_key;
-->
-- The same for all that is maintained; empty where everything is sound.
create view drift as
select what, place, stored, truth from catalog_drift
union all
select 'workflow', w.set_id::text, concat_ws(' ', w.audience, w.year_id, w.genre_id),
  concat_ws(' ', s.audience, s.year_id, s.genre_id)
from workflows w join sets s on s.id = w.set_id
where (w.audience, w.year_id, w.genre_id) is distinct from (s.audience, s.year_id, s.genre_id)
union all
select 'workflow without todos', w.set_id::text, '0', '1 or more'
from workflows w where not exists (select 1 from set_todos t where t.set_id = w.set_id)
union all
select 'todo', t.id::text, concat_ws(' ', t.actionable, t.live, t.year_id, t.genre_id),
  concat_ws(' ', m.actionable, m.live, m.year_id, m.genre_id)
from set_todos t join true_todos m on m.id = t.id
where (t.actionable, t.live, t.year_id, t.genre_id) <> (m.actionable, m.live, m.year_id, m.genre_id)
union all
select 'todo count', concat_ws(' ', step, status, year_id, genre_id), coalesce(c.todos, 0)::text, coalesce(m.todos, 0)::text
from todo_counts c full join (
  select step, status, year_id, genre_id, count(*) as todos from true_todos
  where live and actionable group by step, status, year_id, genre_id
) m using (step, status, year_id, genre_id)
where coalesce(c.todos, 0) <> coalesce(m.todos, 0);
-->

-- ── Mirrors ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- A row here makes the database a mirror of another service: nobody else writes its catalog.
create table mirror (
  one boolean primary key default true check (one),
  -- The address of the other service.
  source text not null,
  -- Its place in the source's feed; null until it was filled once.
  cursor text,
  -- This catalog is the source's as of then.
  current_at timestamptz(3),
  last_applied_at timestamptz(3),
  -- While it is being filled: the files, the step, and the id up to which that step is done.
  is_filling boolean not null default true,
  files jsonb,
  step int not null default 0,
  step_after uuid,
  -- When the files of the last filling were made.
  filled_from timestamptz(3),
  -- The process that follows the feed, and until when no other may.
  holder uuid,
  held_until timestamptz,
  -- What keeps it from its source, and since when; null while nothing does.
  fault text,
  fault_since timestamptz(3)
) with (fillfactor = 50);
-->
-- Records and deletions of the source that wait for another record to come. Without a body it is a deletion; without `waits_for` it
-- is tried again.
create table mirror_waiting (
  type text not null,
  id uuid not null,
  waits_for uuid,
  body text,
  primary key (type, id)
);
-->
create index mirror_waiting_for on mirror_waiting (waits_for, type, id);
-->

-- ── Jobs ───────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Work behind the answer of a request; mails are jobs, too. `run_at` and `finished_at` follow the service's clock, `locked_until`
-- the database's own: whether a process is alive is no matter of a clock that was moved. A failed job has no attempt left.
create table jobs (
  id uuid primary key,
  name text not null,
  payload json not null,
  key text,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  priority smallint not null default 0,
  run_at timestamptz(3) not null,
  attempts int not null default 0,
  max_attempts int not null check (max_attempts > 0),
  holder uuid,
  locked_until timestamptz,
  progress json,
  last_error text,
  result json,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  check ((status = 'running') = (holder is not null)),
  check ((holder is null) = (locked_until is null)),
  check ((status in ('completed', 'failed')) = (finished_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
create unique index jobs_key on jobs (key) where key is not null;
-->
create index jobs_open on jobs (status, priority desc, run_at, id) where finished_at is null;
-->
create index jobs_done on jobs (status, finished_at) where finished_at is not null;
-->
-- The jobs of one kind, the newest first.
create index jobs_name on jobs (name, id);
-->
-- Checklists that came over HTTP. `job_id` and `bytes` are null while the file is being uploaded; `agent` is who sent it, as the
-- audit log names them.
create table imports (
  id uuid primary key,
  job_id uuid unique,
  name text not null,
  publish boolean not null,
  parallels boolean not null,
  bytes bigint,
  created_at timestamptz(3) not null,
  agent text,
  check ((job_id is null) = (bytes is null))
);
-->
-- The file of an import in packed pieces, here because replicas share nothing else. They go when the import ends well.
create table import_pieces (
  import_id uuid not null references imports on delete cascade,
  no int not null,
  bytes bytea not null,
  primary key (import_id, no)
);
-->
alter table import_pieces alter column bytes set storage external;
-->
-- The rows of an import that were refused, and why.
create table import_faults (
  import_id uuid not null references imports on delete cascade,
  no int not null,
  file text not null,
  line int not null,
  reason text not null,
  primary key (import_id, no)
);
-->
-- Card batches that a job writes.
create table card_batches (
  job_id uuid primary key references jobs (id) on delete cascade,
  total int not null
);
-->
-- What became of a batch's rows, by chunks from `first` on: written with the chunk's cards, gone with the job.
create table card_batch_results (
  job_id uuid not null references card_batches (job_id) on delete cascade,
  first int not null,
  results json not null,
  primary key (job_id, first)
);
-->

-- ── Accounts ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- People. The service makes `email_key` (`emailKey`): databases differ in how they lower letters beyond ASCII. `signed_up` marks
-- those that take a founding slot.
create table users (
  id uuid primary key,
  email text not null,
  email_key text not null,
  name text,
  password_hash text,
  operator boolean not null default false,
  verified_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  signed_up boolean not null default false
);
-->
create unique index users_email_taken on users (email_key collate "C");
-->
-- Invitations to sign up; only the hash of a code is kept.
create table invites (
  id uuid primary key,
  code_hash bytea not null,
  label text,
  email text,
  max_uses int not null check (max_uses > 0),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-->
create unique index invites_code_taken on invites (code_hash);
-->
-- A sign-up that used an invite: held until a time, or claimed for good.
create table invite_uses (
  id uuid primary key,
  invite_id uuid not null references invites (id) on delete cascade,
  held_until timestamptz(3) not null,
  claimed_at timestamptz(3)
);
-->
create index invite_uses_invite on invite_uses (invite_id);
-->
-- An address that nobody verified belongs to nobody: several sign-ups may wait for one, each with its own password. Verifying one
-- makes the account (`user_id`) and ends the others. An unverified one goes after `kept_until`.
create table sign_ups (
  id uuid primary key,
  email text not null,
  email_key text not null,
  name text,
  password_hash text,
  invite_use_id uuid references invite_uses (id) on delete set null,
  user_id uuid references users (id) on delete cascade,
  signed_up_at timestamptz(3) not null,
  kept_until timestamptz(3) not null
);
-->
create index sign_ups_address on sign_ups (email_key collate "C", signed_up_at desc, id desc) where user_id is null;
-->
create index sign_ups_kept on sign_ups (kept_until) where user_id is null;
-->
create index sign_ups_user on sign_ups (user_id);
-->
create index sign_ups_invite_use on sign_ups (invite_use_id);
-->
-- Links that verify a sign-up. A replaced one still answers for a minute; a burned one stays known.
create table verifications (
  id uuid primary key,
  token_hash bytea not null,
  issued_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  replaced_at timestamptz(3),
  burned_at timestamptz(3),
  sign_up_id uuid not null references sign_ups (id) on delete cascade
);
-->
create unique index verifications_token on verifications (token_hash);
-->
create index verifications_sign_up on verifications (sign_up_id);
-->
-- Who waits for a founding slot: a verified account, or an address that is yet to sign up.
create table waiting_list (
  id uuid primary key,
  email text not null,
  email_key text not null,
  user_id uuid references users (id) on delete cascade,
  listed_at timestamptz(3) not null,
  offered_at timestamptz(3)
);
-->
create unique index waiting_list_email on waiting_list (email_key collate "C");
-->
create index waiting_list_user on waiting_list (user_id);
-->
create index waiting_list_oldest on waiting_list (listed_at, id) where offered_at is null;
-->
-- Links that set a new password.
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz(3) not null
);
-->
create index password_resets_user on password_resets (user_id);
-->
-- A change of address that waits for its link.
create table email_changes (
  user_id uuid primary key references users (id) on delete cascade,
  email text not null,
  token_hash bytea not null,
  expires_at timestamptz(3) not null
);
-->
create unique index email_changes_token on email_changes (token_hash);
-->
-- Links sent to the address that an account had before a change; one brings that address back.
create table email_undos (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  email text not null,
  changed_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
-->
create index email_undos_user on email_undos (user_id);
-->
-- Networks that an account signed in from, as keyed hashes: failed sign-ins there count apart.
create table sign_in_networks (
  user_id uuid not null references users (id) on delete cascade,
  network_hash bytea not null,
  signed_in_at timestamptz(3) not null,
  primary key (user_id, network_hash)
);
-->
create index sign_in_networks_age on sign_in_networks (signed_in_at);
-->

-- ── Billing ────────────────────────────────────────────────────────────────────────────────────────────────────────

-- What an account has paid for, as Stripe last said. `reminded_days` is the last reminder before a trial ends.
create table subscriptions (
  user_id uuid primary key references users (id) on delete cascade,
  plan text check (plan in ('trial', 'starter', 'pro')),
  status text not null check (status in ('trialing', 'active', 'past_due', 'canceled', 'paused')),
  trial_ends_at timestamptz(3),
  current_period_end timestamptz(3),
  cancel_at_period_end boolean not null default false,
  stripe_subscription_id text unique,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  reminded_days int
);
-->
create index subscriptions_entitled on subscriptions (user_id) where status in ('trialing', 'active');
-->
create index subscriptions_trials on subscriptions (trial_ends_at) where status = 'trialing';
-->
-- The Stripe customer of an account; `customer_key` is the idempotency key of the call that makes it. Each look at Stripe takes a
-- number before it begins (`looks`) and is written only if it is later than the last one applied (`applied_look`): the order of
-- events does not matter.
create table billing_accounts (
  user_id uuid primary key references users (id) on delete cascade,
  stripe_customer_id text,
  customer_key uuid not null,
  looks bigint not null default 0,
  applied_look bigint not null default 0,
  created_at timestamptz(3) not null
);
-->
create unique index billing_accounts_customer on billing_accounts (stripe_customer_id);
-->
-- Stripe events that were handled.
create table stripe_events (
  id text primary key,
  type text not null,
  handled_at timestamptz(3) not null
);
-->
create index stripe_events_handled on stripe_events (handled_at);
-->

-- ── Access ─────────────────────────────────────────────────────────────────────────────────────────────────────────

-- Keys, tokens, OAuth clients and sessions; only hashes of secrets are kept. `plan_…` is the allowance of the plan, `agreed_…` one by
-- agreement, which wins; `next_…` replaces it at `next_from`, where null ends the agreement. Access tokens carry the client's
-- `generation`, and those of an earlier one open nothing.
create table credentials (
  id uuid primary key,
  kind text not null check (kind in ('subscriber_key', 'personal_token', 'oauth_client', 'session')),
  user_id uuid not null references users (id) on delete cascade,
  name text,
  secret_hash bytea not null unique,
  last_four text not null,
  scopes text[] not null default '{}',
  internal_approved boolean not null default false,
  internal_pool boolean not null default false,
  plan_limit int check (plan_limit > 0),
  plan_window_seconds int check (plan_window_seconds > 0),
  agreed_limit int check (agreed_limit > 0),
  agreed_window_seconds int check (agreed_window_seconds > 0),
  next_limit int check (next_limit > 0),
  next_window_seconds int check (next_window_seconds > 0),
  next_from timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  generation int not null default 0,
  check ((plan_limit is null) = (plan_window_seconds is null)),
  check ((agreed_limit is null) = (agreed_window_seconds is null)),
  check ((next_limit is null) = (next_window_seconds is null))
);
-->
create index credentials_owner on credentials (user_id, kind, created_at);
-->
create unique index credentials_one_key on credentials (user_id) where kind = 'subscriber_key' and revoked_at is null;
-->
-- Access tokens that were revoked one by one, kept until they would have expired. Of a token itself nothing is stored.
create table revoked_tokens (
  token_id text primary key,
  expires_at timestamptz(3) not null
);
-->
create index revoked_tokens_expires on revoked_tokens (expires_at);
-->
-- Fixed rate windows, one row each, rewritten at every request.
create table rate_windows (
  key text primary key,
  opened_at timestamptz(3) not null,
  closes_at timestamptz(3) not null,
  count bigint not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
create index rate_windows_closes on rate_windows (closes_at);
-->
-- Requests by credential and day (UTC). Rows outlive the credential and the account.
create table usage_days (
  credential_id uuid not null,
  day date not null,
  user_id uuid not null,
  requests bigint not null,
  last_request_at timestamptz(3) not null,
  primary key (credential_id, day)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
create index usage_days_user on usage_days (user_id, day);
-->
create index usage_days_day on usage_days (day);
-->
-- What the service remembers by name. The row `founding_slots` is a lock for whoever gives a slot away.
create table settings (
  name text primary key,
  value text not null
);
-->
insert into settings (name, value) values ('founding_slots', 'held by whoever gives one away');
-->

-- ── The audit log ──────────────────────────────────────────────────────────────────────────────────────────────────

-- What was done, by whom and when: written in the transaction of the change, and never changed again.
create sequence audit_logs_id as bigint cache 1;
-->
create table audit_logs (
  id bigint primary key default nextval('audit_logs_id'),
  event_type text not null,
  auditable_type text,
  auditable_id uuid,
  agent_id text,
  data json,
  created_at timestamptz(3) not null
);
-->
alter sequence audit_logs_id owned by audit_logs.id;
-->
create index audit_logs_newest on audit_logs (created_at, id);
-->
create index audit_logs_event on audit_logs (event_type collate "C", created_at, id);
-->
create index audit_logs_type on audit_logs (auditable_type collate "C", created_at, id);
-->
create index audit_logs_event_type on audit_logs (event_type collate "C", auditable_type collate "C", created_at, id);
-->
create index audit_logs_record on audit_logs (auditable_id, created_at, id) include (auditable_type, event_type)
  where auditable_id is not null;
-->
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is only ever added to.' using errcode = 'insufficient_privilege';
end
$$;
-->
create trigger audit_logs_stay before update or delete on audit_logs
  for each row execute function refuse_audit_change();
-->
create trigger audit_logs_stay_all before truncate on audit_logs
  for each statement execute function refuse_audit_change();
-->
-- Entries by day (UTC), event and type ('' for none). Each database session counts on rows of its own, so that no writer waits for
-- another's commit: a total is the sum over them.
create table audit_log_counts (
  day date not null,
  event_type text not null,
  auditable_type text not null,
  session int not null,
  entries bigint not null,
  primary key (day, event_type, auditable_type, session)
) with (fillfactor = 70);
