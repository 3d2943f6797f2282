-- One folding for search and duplicates: a text in lower case, without accents, apostrophes, periods and invisible characters, compatibility
-- forms as plain ones, and æ as ae, ø as o, ß as ss. src/lib/fold-text.ts does the same.
create function fold_text(value text) returns text language plpgsql immutable strict cost 1000 as $$
begin
  -- Between words of several letters, a period parts them.
  if strpos(value, '.') > 0 then
    value := regexp_replace(value,
      '(?<=[A-Za-z\u00c0-\u024f]{2})\.(?=[A-Za-z\u00c0-\u024f])|(?<=[A-Za-z\u00c0-\u024f])\.(?=[A-Za-z\u00c0-\u024f]{2})', ' ', 'g');
  end if;
  -- Most texts are ASCII, and take a fifth of the time this way.
  if octet_length(value) = length(value) then
    return lower(translate(value, '''.`', ''));
  end if;
  return normalize(replace(replace(replace(replace(replace(translate(lower(regexp_replace(
    normalize(translate(value, '™℠´', '  '''), NFKD),
    '[''.`ʹʻʼʽˈˊˋꞌ‘’‛′׳'
    '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f'
    '\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000E0000-\U000E0FFF]+',
    '', 'g'
  )), 'øłđðħŧŋıς', 'olddhtniσ'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th'), 'l·l', 'll'), NFC);
end
$$;
-->
-- The words of a text with spaces between, each cut at 40 letters. src/catalog/search/words.ts says the same for a query's words. A function
-- in this form keeps what it calls by id, so it needs no search path.
create or replace function search_text(value text) returns text language sql immutable strict cost 1000
return ' ' || btrim(regexp_replace(regexp_replace(fold_text(value),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7'
  '\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f4\u0609-\u060d\u061b\u061d-\u061f\u066a-\u066d\u06d4\u0964\u0965'
  '\u0e4f\u0e5a\u0e5b\u1400\u1680\u1806\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u302a-\u3030\u3036\u3037\u303d-\u303f'
  '\u30a0\u30fb\U0001F000-\U0001FAFF]+', ' ', 'g'), '([^ ]{40})[^ ]+', '\1', 'g')) || ' ';
-->
-- A name as duplicates are compared: without spaces, commas and middle dots, too, with every dash as a hyphen, and cut where an index row
-- ends.
create or replace function name_fold(value text) returns text language sql immutable strict cost 1000
return left(translate(fold_text(mend_utf8(value)),
  U&'\058A\05BE\1400\1806\2010\2011\2012\2013\2014\2015\2053\207B\208B\2212\2E17\2E1A\2E3A\2E3B\2E40\301C\3030\30A0'
  '\0009\000A\000B\000C\000D\0020\002C\0085\00A0\00B7\060C\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\2027\2028\2029\202F\205F\3000\3001\30FB',
  '----------------------'), 600);
-->
-- What was folded before is folded again. Names of ASCII alone fold as they did, so only rows with other letters are written, without a new
-- version: nobody reads a folded name. An index of words or of folded names is built again if one of its texts has such letters. For ten
-- million cards that takes a scan of the titles and notes, and if all have titles, and any of them such a letter, some minutes.
update players set name = name where name ~ '[^ -~]';
-->
update teams set name = name where name ~ '[^ -~]';
-->
update brands set name = name where name ~ '[^ -~]';
-->
update manufacturers set name = name where name ~ '[^ -~]';
-->
update sets set name = name where name ~ '[^ -~]';
-->
do $$
declare
  one record;
  has_letters boolean;
begin
  for one in
    select x.indexrelid::regclass::text as index, x.indrelid::regclass::text as of,
      case when def like '%aliases%' then 'aliases' when def like '%title%' then 'title' when def like '%notes%' then 'notes'
        when def like '%said%' then 'said::text' else 'name' end as text
    from pg_index x cross join pg_get_indexdef(x.indexrelid) def
    where x.indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
      and def ~ '(search_text|name_fold|alias_folds|fold_text)\('
  loop
    execute format('select exists (select from %s where %s ~ ''[^ -~]|[A-Za-z]\.[A-Za-z]'')', one.of, one.text) into has_letters;
    if has_letters then execute format('reindex index %s', one.index); end if;
  end loop;
end
$$;
