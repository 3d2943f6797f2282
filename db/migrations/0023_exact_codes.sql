-- Codes are unique exactly, case included: `EX` and `ex` are two. The index of the keys without case, attributes_live, stays for lookups.
drop index attributes_attribute_taken;
-->
create unique index attributes_attribute_taken on attributes (attribute collate "C") where deleted_at is null;
