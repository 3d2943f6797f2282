-- Who sent the file, in the words of the audit log, which names them for the sets that the import changes.
alter table imports add column agent text;
