-- Images whose files no row owns: an upload that is under way, and what was erased. From `loose_from` on the files go.
create table loose_images (
  id uuid primary key,
  loose_from timestamptz(3) not null
);
-->
create index loose_images_loose_from on loose_images (loose_from);
