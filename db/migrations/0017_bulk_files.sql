-- The catalog as files: those of one generation are written together, and stand for the feed from `feed_no` on.
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
