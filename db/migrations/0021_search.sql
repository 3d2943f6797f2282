-- Words of names, for /v2/search. src/catalog/search/words.ts says the same for a query's words. None of these functions is
-- parallel safe, so that a search never waits for workers to start: that takes longer than what they would do.
create function search_text(value text) returns text language plpgsql immutable strict cost 1000 as $$
begin
  return ' ' || btrim(regexp_replace(translate(lower(regexp_replace(
    regexp_replace(normalize(translate(value, '™℠', '  '), NFKD), '[\u0300-\u036f''.`\u2018\u2019\u02bc\u00b7]', '', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\ufe0f\U0001F000-\U0001FAFF]+', ' ', 'g'
  )), 'øłđðıς', 'olddiσ'), '([^ ]{40})[^ ]+', '\1', 'g')) || ' ';
end
$$;
-->
create function search_words(words text) returns tsvector language sql immutable strict cost 10000
return array_to_tsvector(string_to_array(btrim(words), ' '));
-->
-- The words of a name that may be misspelt: those of four to twenty letters.
create function words_of(name text) returns setof text language sql immutable strict as $$
  select w collate "C" from string_to_table(btrim(search_text(name)), ' ') w where length(w) between 4 and 20 and w !~ '[0-9]'
$$;
-->
-- Such words once, kept when a name first has them: near misses are looked for here, then names by the words that are near.
create table words (word text collate "C" primary key);
-->
insert into words select distinct w from (
  select name from players union all select name from teams union all select name from sets
  union all select name from brands union all select name from manufacturers union all select name from genres
) named cross join lateral words_of(named.name) w;
-->
-- What a word is found by: itself, and what is left of it without a letter, from eight letters on without two. Words that
-- nearly agree have one of these in common.
create function word_forms(word text) returns tsvector language plpgsql immutable strict cost 10000 as $$
declare
  forms text[] := array[word];
  size int := length(word);
begin
  for i in 1 .. size loop
    forms := forms || (left(word, i - 1) || substr(word, i + 1));
    continue when size < 8;
    for j in i + 1 .. size loop
      forms := forms || (left(word, i - 1) || substr(word, i + 1, j - i - 1) || substr(word, j + 1));
    end loop;
  end loop;
  return array_to_tsvector(forms);
end
$$;
-->
create index words_forms on words using gin (word_forms(word)) with (fastupdate = off);
-->
create index players_words on players using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
create index teams_words on teams using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
create index sets_words on sets using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
create index brands_words on brands using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
create index manufacturers_words on manufacturers using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
create index genres_words on genres using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
create index years_words on years using gin (search_words(search_text(name))) with (fastupdate = off) where audience >= 1;
-->
-- Sets that not everyone sees, and what they hide.
create index sets_hidden on sets (no) include (audience) where audience < 2;
-->
-- Who is on the cards with a number.
create index oncard_number on oncard (number_key collate "C", set_no, card_id) include (player_id, team_id);
-->
-- Who is on a card, without a look at the table.
alter table oncard drop constraint oncard_pkey, add primary key (card_id, position) include (player_id, team_id);
-->
-- Which cards may have several players.
create index oncard_several on oncard (card_id) where position > 0 and lists_player;
-->
-- Few cards have a title.
create index cards_title_words on cards using gin (search_words(search_text(title)))
  with (fastupdate = off) where title is not null and deleted_at is null;
-->
-- For the statistics of an expression ANALYZE works it out for each row of its sample: for words that takes longer than all
-- the rest, and on the embedded database everyone waits.
alter index players_words alter column 1 set statistics 0;
-->
alter index teams_words alter column 1 set statistics 0;
-->
alter index sets_words alter column 1 set statistics 0;
-->
alter index brands_words alter column 1 set statistics 0;
-->
alter index manufacturers_words alter column 1 set statistics 0;
-->
alter index genres_words alter column 1 set statistics 0;
-->
alter index years_words alter column 1 set statistics 0;
-->
alter index cards_title_words alter column 1 set statistics 0;
-->
alter index words_forms alter column 1 set statistics 0;
