-- The file of an import whose rows made or matched these cards, by its place among the import's files. Null for anything but cards.
alter table import_made add column file int;
-->
alter table import_seen add column file int;
