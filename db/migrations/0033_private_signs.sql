-- Text that was UTF-8 and was read as Windows-1252, mended; any other text as it is. LibreOffice writes signs of its own for the five bytes
-- that Windows-1252 has no letter for, U+F181 for the byte 81; src/catalog/import/read/source/mend-utf8.ts knows them, too.
create or replace function mend_utf8(value text) returns text language plpgsql immutable strict cost 1000 as $$
declare
  windows constant text := U&'\20AC\0081\201A\0192\201E\2026\2020\2021\02C6\2030\0160\2039\0152\008D\017D\008F\0090\2018\2019\201C\201D\2022\2013\2014\02DC\2122\0161\203A\0153\009D\017E\0178';
  signs constant text := translate(value, U&'\F181\F18D\F18F\F190\F19D', U&'\0081\008D\008F\0090\009D');
  bytes bytea := '';
  code int;
begin
  if signs !~ '[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122]' then
    return value;
  end if;
  for place in 1 .. length(signs) loop
    code := ascii(substr(signs, place, 1));
    if code > 255 then
      code := 127 + strpos(windows, substr(signs, place, 1));
      if code = 127 then
        return value;
      end if;
    end if;
    bytes := bytes || set_byte('\x00', 0, code);
  end loop;
  return convert_from(bytes, 'UTF8');
exception when character_not_in_repertoire then
  return value;
end
$$;
-->
-- Names with these signs are folded again, without a new version: nobody reads a folded name.
update players set name = name where name ~ '[\uf181\uf18d\uf18f\uf190\uf19d]';
-->
update teams set name = name where name ~ '[\uf181\uf18d\uf18f\uf190\uf19d]';
-->
update brands set name = name where name ~ '[\uf181\uf18d\uf18f\uf190\uf19d]';
-->
update manufacturers set name = name where name ~ '[\uf181\uf18d\uf18f\uf190\uf19d]';
-->
update sets set name = name where name ~ '[\uf181\uf18d\uf18f\uf190\uf19d]';
-->
-- An index of folded names is built again if one of its texts has such a sign.
do $$
declare
  one record;
  has_signs boolean;
begin
  for one in
    select x.indexrelid::regclass::text as index, x.indrelid::regclass::text as of,
      case when def like '%aliases%' then 'aliases' when def like '%title%' then 'title' when def like '%said%' then 'said::text'
        else 'name' end as text
    from pg_index x cross join pg_get_indexdef(x.indexrelid) def
    where x.indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)
      and def ~ '(name_fold|alias_folds)\('
  loop
    execute format('select exists (select from %s where %s ~ ''[\uf181\uf18d\uf18f\uf190\uf19d]'')', one.of, one.text) into has_signs;
    if has_signs then execute format('reindex index %s', one.index); end if;
  end loop;
end
$$;
