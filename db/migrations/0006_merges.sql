-- A mirror knows where merged ids lead, and not the merges of its source.
alter table redirects alter column merge_id drop not null;
