-- Few cards have notes: search counts and lists those.
create index cards_noted on cards (set_no) where notes is not null and notes <> '' and deleted_at is null;
