-- The catalog's tables. `audience` is who may see a row: 0 nobody (deleted), 1 readers of drafts, 2 everyone.
-- A card has no audience of its own: its set decides. Every count, flag and name here is kept by src/catalog/write.
create extension if not exists pg_trgm;
-->
create table counters (
  name text primary key,
  value bigint not null
) with (fillfactor = 50);
-->
-- How many rows of a list belong to an id: the totals of lists, what a DELETE must refuse, and what is published.
-- `list` numbers are those of src/catalog/write/counts/tallies.ts; an id of all f's stands for the whole list.
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
-- Cards in each 64 sets (level 1: no >> 6) and each 4,096 sets (level 2: no >> 12).
create table card_blocks (
  level smallint not null,
  block int not null,
  live int not null default 0,
  published int not null default 0,
  primary key (level, block)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-->
-- What happened, in the transaction that did it: `ids` of one type that moved between two audiences alike.
-- A sequencer gives `no` after the commit, so that no number ever appears behind a later one.
create table changes (
  id uuid primary key,
  no bigint,
  type text not null,
  ids uuid[] not null,
  audience_before smallint not null,
  audience_after smallint not null,
  changed_at timestamptz(3) not null
);
-->
create unique index changes_no on changes (no) where no is not null;
-->
create index changes_unnumbered on changes (changed_at) where no is null;
-->
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
-- Its name may be long: the key is cut where an index row ends.
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
  deleted_at timestamptz(3)
);
-->
create unique index player_teams_pair on player_teams (player_id, team_id);
-->
create index player_teams_live on player_teams (name_key collate "C", id) where audience >= 1;
-->
create index player_teams_published on player_teams (name_key collate "C", id) where audience >= 2;
-->
create index player_teams_player on player_teams (player_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
create index player_teams_team on player_teams (team_id, name_key collate "C", id) include (audience) where audience >= 1;
-->
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
create index sets_like on sets using gin (name_key gin_trgm_ops) where audience >= 1;
-->
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
  -- What the card's relationships hold, as a reader wants it: p, t or x and the id of each entry, ids of attributes and images.
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
-- Who is on a card: `player_id` and `team_id` are those that the entry leads to (a player-team gives both).
-- `lists_player` is true on the first entry of a live card with that player, so that a list shows the card once.
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
  primary key (card_id, position)
);
-->
create index oncard_player on oncard (player_id, set_no, number_key collate "C", card_id) where lists_player;
-->
create index oncard_team on oncard (team_id, set_no, number_key collate "C", card_id) where lists_team;
-->
create index oncard_player_team on oncard (player_team_id, set_no, number_key collate "C", card_id) where lists_player_team;
-->
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
-- The day's counts, one row a day, for /v1/stats.
create table stats_days (
  day date primary key,
  counts jsonb not null
);
