-- Each process remembers the words of all names, and finds misspelled ones itself.
drop table words;
-->
drop function word_sound(text);
-->
drop function word_forms(text);
-->
drop function words_of(text);
