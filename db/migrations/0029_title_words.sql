-- The words of cards' titles, which searches remember to find titles by beginnings and near misses (docs/decisions/0011). Writers only add:
-- a word that no title has any more finds nothing. Two writers may add the same word at once, so it may be here twice.
create table title_words (
  id uuid primary key,
  word text not null
);
-->
create index title_words_word on title_words (word collate "C");
-->
-- Each title is read once. For ten million different titles, that takes some minutes; games print few titles many times.
insert into title_words (id, word)
select gen_random_uuid(), w.word from (
  select distinct word from (select distinct title from cards where title is not null) t,
    string_to_table(btrim(search_text(t.title)), ' ') as word
) w where w.word <> '' and w.word !~ '^[0-9]+$';
