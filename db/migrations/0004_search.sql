-- The words of a set's name, as search compares them: how near a set is to a query is read from them.
alter table sets add column words tsvector generated always as (search_words(search_text(name))) stored;
-->
-- Few cards have notes.
create index cards_note_words on cards using gin (search_words(search_text(notes)))
  with (fastupdate = off) where notes is not null and deleted_at is null;
-->
alter index cards_note_words alter column 1 set statistics 0;
