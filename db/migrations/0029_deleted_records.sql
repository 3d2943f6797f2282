-- Deleted records, for lists of them: the latest deletion first. Live rows have no entry.
create index cards_deleted_at on cards (deleted_at, id) include (set_id) where deleted_at is not null;
-->
create index sets_deleted_at on sets (deleted_at, id) where deleted_at is not null;
-->
create index players_deleted_at on players (deleted_at, id) where deleted_at is not null;
-->
create index teams_deleted_at on teams (deleted_at, id) where deleted_at is not null;
