-- The orders and filters of the lists of /v2 that have no index yet: a page costs the same at any depth.
create index genres_created_at on genres (created_at, id) include (audience) where audience >= 1;
-->
create index genres_updated_at on genres (updated_at, id) include (audience) where audience >= 1;
-->
create index brands_created_at on brands (created_at, id) include (audience) where audience >= 1;
-->
create index brands_updated_at on brands (updated_at, id) include (audience) where audience >= 1;
-->
create index manufacturers_created_at on manufacturers (created_at, id) include (audience) where audience >= 1;
-->
create index manufacturers_updated_at on manufacturers (updated_at, id) include (audience) where audience >= 1;
-->
create index years_created_at on years (created_at, id) include (audience) where audience >= 1;
-->
create index years_updated_at on years (updated_at, id) include (audience) where audience >= 1;
-->
create index attributes_created_at on attributes (created_at, id) include (audience) where audience >= 1;
-->
create index attributes_updated_at on attributes (updated_at, id) include (audience) where audience >= 1;
-->
create index teams_created_at on teams (created_at, id) include (audience) where audience >= 1;
-->
create index teams_updated_at on teams (updated_at, id) include (audience) where audience >= 1;
-->
create index players_created_at on players (created_at, id) include (audience) where audience >= 1;
-->
create index players_updated_at on players (updated_at, id) include (audience) where audience >= 1;
-->
create index player_teams_created_at on player_teams (created_at, id) include (audience) where audience >= 1;
-->
create index player_teams_updated_at on player_teams (updated_at, id) include (audience) where audience >= 1;
-->
create index object_attributes_updated_at on object_attributes (updated_at, id) include (audience) where audience >= 1;
-->
create index card_images_updated_at on card_images (updated_at, id) include (audience) where audience >= 1;
-->
create index set_sources_updated_at on set_sources (updated_at, id) include (audience) where audience >= 1;
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
