-- A year may belong to another: the season 1986-87 to 1986. No foreign key: copies of a catalog may get the child first.
alter table years add column parent_year uuid;
-->
create index years_parent on years (parent_year, name_key collate "C", id) include (audience)
  where audience >= 1 and parent_year is not null;
