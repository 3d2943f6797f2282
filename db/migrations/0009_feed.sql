-- The order of the feed. Whoever writes the catalog leaves a change without a number; one process at a time numbers what has
-- committed. `noted_at` is the database's clock under the writer's locks, so that two changes of one record keep their order.
alter table changes add column noted_at timestamptz not null default clock_timestamp();
-->
drop index changes_unnumbered;
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
