import { validationFailed } from '../../../jsonapi/errors.ts'
import { type ByDocument, columnsOf } from '../../model/attached.ts'
import type { ImageSide } from '../../model/image-formats.ts'
import type { Writes } from '../record.ts'
import { noteLooseImages } from '../set/erase.ts'
import { changeImageType, deleteCardImage } from './card-images.ts'
import { createAttached, deleteAttached, lockAttached, updateAttached } from './write.ts'

/** POST, PATCH and DELETE of what documents attach. A document's attribute is the column with the same name. */
export const attachedWrites = (type: ByDocument): Writes => {
  const given = (document: Record<string, unknown>) => {
    const attributes = type === 'set_sources' ? titled(document) : document
    return Object.fromEntries(
      columnsOf(type).flatMap((name) => (name in attributes ? [[name, attributes[name] as string | null]] : [])),
    )
  }
  return {
    create: async (tx, id, { attributes }, writer) => {
      await createAttached(tx, type, id, given(attributes), writer)
      return id
    },
    update: (tx, id, { attributes }, writer) => updateAttached(tx, type, id, given(attributes), writer),
    remove: (tx, id, writer) => deleteAttached(tx, type, id, writer),
  }
}

/** The attributes of a source with `source_name` as its title. 422 if the document has both, and they differ. */
const titled = ({ source_name: name, ...attributes }: Record<string, unknown>) => {
  if (name === undefined) return attributes
  if ('title' in attributes && attributes.title !== name)
    throw validationFailed([{ pointer: '/data/attributes/source_name', detail: 'Must be the same as the title.' }])
  return { ...attributes, title: name }
}

/** PATCH and DELETE of a card image, which comes from an upload. Only its type can be changed. */
export const cardImageWrites: Writes = {
  update: async (tx, id, { attributes }, writer) => {
    const type = attributes.image_type as ImageSide | undefined
    await (type ? changeImageType(tx, id, type, writer) : lockAttached(tx, 'card_images', id, writer))
  },
  remove: async (tx, id, writer) => {
    await deleteCardImage(tx, id, writer)
    await noteLooseImages(tx, [id], writer.now)
  },
}
