-- What keeps a mirror from its source now, and since when; null while nothing does.
alter table mirror add column fault text, add column fault_since timestamptz(3);
