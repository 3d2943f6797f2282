-- PostgreSQL runs a function of an index or a generated column without the usual search path: in a restore by pg_dump, and from
-- release 17 on in ANALYZE and REINDEX. This one calls a function of its own schema, and has to find it there, too.
alter function name_fold(text) set search_path from current;
