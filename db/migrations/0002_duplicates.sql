-- Duplicates: names that differ only in how they are written, and those that a curator called different for good.
--
-- Text that was UTF-8 and was read as Windows-1252, mended; any other text as it is.
create function mend_utf8(value text) returns text language plpgsql immutable strict cost 1000 as $$
declare
  windows constant text := U&'\20AC\0081\201A\0192\201E\2026\2020\2021\02C6\2030\0160\2039\0152\008D\017D\008F\0090\2018\2019\201C\201D\2022\2013\2014\02DC\2122\0161\203A\0153\009D\017E\0178';
  bytes bytea := '';
  code int;
begin
  if value !~ '[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122]' then
    return value;
  end if;
  for place in 1 .. length(value) loop
    code := ascii(substr(value, place, 1));
    if code > 255 then
      code := 127 + strpos(windows, substr(value, place, 1));
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
-- A name as duplicates are compared: without case, accents, dots, commas, apostrophes and spaces, and cut where an index row ends.
create function name_fold(value text) returns text language plpgsql immutable strict cost 1000 as $$
begin
  return left(translate(lower(regexp_replace(
    normalize(mend_utf8(value), NFKD),
    '[\u0300-\u036f[:space:].,''`\u00b4\u00b7\u2018\u2019\u02bc]', '', 'g'
  )), 'øłđðıς', 'olddiσ'), 600);
end
$$;
-->
alter table players add column folded text generated always as (name_fold(name)) stored;
-->
create index players_folded on players (folded collate "C", id) where audience >= 1;
-->
alter table teams add column folded text generated always as (name_fold(name)) stored;
-->
create index teams_folded on teams (folded collate "C", id) where audience >= 1;
-->
alter table brands add column folded text generated always as (name_fold(name)) stored;
-->
create index brands_folded on brands (folded collate "C", id) where audience >= 1;
-->
alter table manufacturers add column folded text generated always as (name_fold(name)) stored;
-->
create index manufacturers_folded on manufacturers (folded collate "C", id) where audience >= 1;
-->
alter table sets add column folded text generated always as (name_fold(name)) stored;
-->
create index sets_folded on sets (folded collate "C", genre_id, year_id, parent_id, id) where audience >= 1;
-->
-- Records of one type that somebody said are different. A group of duplicates all of whose records are among `ids` is not shown.
create table duplicate_dismissals (
  id uuid primary key,
  object_type text not null check (object_type in ('players', 'teams', 'brands', 'manufacturers', 'sets')),
  ids uuid[] not null,
  agent_id text,
  created_at timestamptz(3) not null
);
-->
create index duplicate_dismissals_ids on duplicate_dismissals using gin (ids);
