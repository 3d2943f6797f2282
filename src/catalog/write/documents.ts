import { withPointers } from '../../jsonapi/errors.ts'
import { typesByDocument } from '../model/attached.ts'
import type { Input, Resource } from '../model/resource.ts'
import { attachedWrites, cardImageWrites } from './attached/documents.ts'
import { cardWrites } from './card/documents.ts'
import { entityWrites } from './entity/documents.ts'
import type { Writes } from './record.ts'
import { setWrites } from './set/documents.ts'

const byType: Record<string, Writes> = {
  ...entityWrites,
  sets: setWrites,
  cards: cardWrites,
  ...Object.fromEntries(typesByDocument.map((type) => [type, attachedWrites(type)])),
  card_images: cardImageWrites,
}

/** The writes of a resource's documents, with its relationships named as in its version of the API. */
export const writesOf = ({ type, api, namesInV2 }: Resource): Writes => {
  const writes = byType[type] ?? {}
  const { create, update } = writes
  if (!api || !namesInV2) return writes
  return {
    ...writes,
    create:
      create && ((tx, id, input, writer) => create(tx, id, inV1(input, namesInV2), writer).catch(pointIn(namesInV2))),
    update:
      update && ((tx, id, input, writer) => update(tx, id, inV1(input, namesInV2), writer).catch(pointIn(namesInV2))),
  }
}

const inV1 = (input: Input, names: Record<string, string>): Input => {
  const relationships = { ...input.relationships }
  for (const [old, name] of Object.entries(names)) {
    if (name in relationships) relationships[old] = relationships[name]
    delete relationships[name]
  }
  const { edit } = input
  const old = Object.entries(names).find(([, name]) => name === edit?.name)?.[0]
  return { ...input, relationships, ...(edit && old ? { edit: { ...edit, name: old } } : {}) }
}

/** Replaces the names in a refusal's pointers with those of /v2. */
const pointIn =
  (names: Record<string, string>) =>
  (error: unknown): never => {
    throw withPointers(error, (pointer) =>
      pointer.replace(/^(\/data\/relationships\/)([^/]+)/, (_, place, name) => place + (names[name] ?? name)),
    )
  }
