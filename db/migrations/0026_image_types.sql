-- Which side of its card an image shows. Of the images that cards have by now, the card's own is its front, or else the first.
alter table card_images add column image_type text not null default 'front' check (image_type in ('front', 'back'));
-->
update card_images i set image_type = 'back'
from cards c
where c.id = i.card_id and i.deleted_at is null and i.id is distinct from coalesce(
  (select o.id from card_images o where o.id = c.image_uuid and o.card_id = c.id and o.deleted_at is null),
  (select f.id from card_images f where f.card_id = c.id and f.deleted_at is null order by f.created_at, f.id limit 1)
);
