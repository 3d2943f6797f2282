-- Processes remember the words of sets and their labels, so the database no longer keeps or indexes them.
alter table sets drop column words;
-->
drop index sets_words, sets_alias_words, brands_words, brands_alias_words, manufacturers_words, manufacturers_alias_words,
  genres_words, genres_alias_words, years_words, years_alias_words;
