-- What a code stands for may be typed, too: rated rookie, league leaders.
create index attributes_words on attributes using gin (search_words(search_text(name)))
  with (fastupdate = off) where audience >= 1;
-->
alter index attributes_words alter column 1 set statistics 0;
-->
-- How a word sounds, roughly: its consonants, those that are mistaken for each other as one (Derrick and Derek, Knoblock and
-- Knoblauch), and whether it begins with a vowel. Words that are written in other letters have no sound.
create function word_sound(word text) returns text language plpgsql immutable strict cost 1000 as $$
declare
  sound text := word;
begin
  if word !~ '^[a-z]{3,20}$' then
    return null;
  end if;
  sound := regexp_replace(regexp_replace(sound, '^[kgp]n', 'n'), '^wr', 'r');
  sound := replace(replace(replace(replace(sound, 'ph', 'f'), 'sch', 's'), 'sh', 's'), 'dg', 'j');
  sound := regexp_replace(regexp_replace(sound, 'c(?=[eiy])', 's', 'g'), 'g(?=[eiy])', 'j', 'g');
  sound := regexp_replace(translate(sound, 'cqxzv', 'kkksf'), '^[aeiouy]+', 'a');
  sound := left(sound, 1) || regexp_replace(substr(sound, 2), '[aeiouyhw]', '', 'g');
  return regexp_replace(sound, '(.)\1+', '\1', 'g');
end
$$;
-->
create index words_sound on words (word_sound(word) collate "C");
-->
alter index words_sound alter column 1 set statistics 0;
