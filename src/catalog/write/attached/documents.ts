import type { Input } from '../../model/resource.ts'
import type { Writes } from '../writes.ts'
import {
  createObjectAttribute,
  createSetSource,
  deleteAttached,
  type ObjectAttribute,
  type SetSource,
  updateObjectAttribute,
  updateSetSource,
} from './attached.ts'
import { deleteCardImage } from './card-images.ts'
import { noteErased } from './erased-images.ts'
import type { ObjectKind } from './owners.ts'

const objectAttributeOf = ({ attributes }: Input): Partial<ObjectAttribute> => ({
  ...('attribute_id' in attributes ? { attributeId: attributes.attribute_id as string } : {}),
  ...('attribute_value' in attributes ? { value: attributes.attribute_value as string } : {}),
  ...('object_type' in attributes ? { objectType: attributes.object_type as ObjectKind } : {}),
  ...('object_id' in attributes ? { objectId: attributes.object_id as string } : {}),
})

/** What the documents of object attributes do. */
export const objectAttributeWrites: Writes = {
  create: async (tx, id, input, writer) => {
    await createObjectAttribute(tx, id, objectAttributeOf(input) as ObjectAttribute, writer)
    return id
  },
  update: (tx, id, input, writer) => updateObjectAttribute(tx, id, objectAttributeOf(input), writer),
  remove: (tx, id, writer) => deleteAttached(tx, 'object-attributes', id, writer),
}

const setSourceOf = ({ attributes }: Input): Partial<SetSource> => ({
  ...('set_id' in attributes ? { setId: attributes.set_id as string } : {}),
  ...('source_url' in attributes ? { sourceUrl: attributes.source_url as string } : {}),
  ...('title' in attributes ? { title: attributes.title as string | null } : {}),
  ...('notes' in attributes ? { notes: attributes.notes as string | null } : {}),
})

/** What the documents of set sources do. */
export const setSourceWrites: Writes = {
  create: async (tx, id, input, writer) => {
    const state = { title: null, notes: null, ...setSourceOf(input) } as SetSource
    await createSetSource(tx, id, state, writer)
    return id
  },
  update: (tx, id, input, writer) => updateSetSource(tx, id, setSourceOf(input), writer),
  remove: (tx, id, writer) => deleteAttached(tx, 'set_sources', id, writer),
}

/** A card image comes by an upload and is never changed. */
export const cardImageWrites: Writes = {
  remove: async (tx, id, writer) => {
    await deleteCardImage(tx, id, writer)
    await noteErased(tx, [id], writer.now)
  },
}
