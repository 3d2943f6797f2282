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
-->
-- Numbers compare with every dash as a hyphen. Few keys have another one; finding them scans the three tables once, some seconds for ten
-- million cards.
update cards set number_key = translate(number_key, U&'\058A\05BE\1400\1806\2010\2011\2012\2013\2014\2015\2053\207B\208B\2212\2E17\2E1A\2E3A\2E3B\2E40\301C\3030\30A0', '----------------------')
where number_key ~ '[\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2053\u207b\u208b\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u301c\u3030\u30a0]';
-->
update oncard set number_key = translate(number_key, U&'\058A\05BE\1400\1806\2010\2011\2012\2013\2014\2015\2053\207B\208B\2212\2E17\2E1A\2E3A\2E3B\2E40\301C\3030\30A0', '----------------------')
where number_key ~ '[\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2053\u207b\u208b\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u301c\u3030\u30a0]';
-->
update card_attributes set number_key = translate(number_key, U&'\058A\05BE\1400\1806\2010\2011\2012\2013\2014\2015\2053\207B\208B\2212\2E17\2E1A\2E3A\2E3B\2E40\301C\3030\30A0', '----------------------')
where number_key ~ '[\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2053\u207b\u208b\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u301c\u3030\u30a0]';
