import { type countOccurrences, derivedId, readUuid } from './identity.ts'
import type { ImportItem, SetItem } from './item.ts'
import { setFault } from './limits.ts'
import type { ReleaseFacts } from './release-name.ts'
import { fault, note, type Run } from './run.ts'

/** What the sets of one release share. */
export type ReleaseContext = {
  run: Run
  file: string
  line: number
  facts: ReleaseFacts
  genre: string | null
  isCode: (word: string) => boolean
  isKnown: (name: string) => boolean
  occurrence: ReturnType<typeof countOccurrences>
}

/**
 * Begins a set unless its texts cannot be stored; says so and gives null where they cannot. Its `uniqueId` is its id;
 * a second set with the same one gets an id derived from it, its parent and its name. Without one the name decides.
 */
export function* beginSet(
  context: ReleaseContext,
  given: Pick<SetItem, 'name' | 'setKind' | 'description'> & { uniqueId: string | null; parent: SetItem | null },
): Generator<ImportItem, SetItem | null> {
  const { facts, run, file, line } = context
  const { name, setKind, description, uniqueId, parent } = given
  const uuid = readUuid(uniqueId)
  const parentKey = parent?.key ?? null
  const fresh = uuid !== null && run.setIds.add(uuid)
  if (uuid && !fresh) yield note(context, 'duplicate-id', `set ${name}: ${uuid}`)
  if (!uuid && uniqueId !== null) yield note(context, 'invalid-id', `set ${name}: ${uniqueId}`)
  const key = fresh ? uuid : derivedId(uniqueId ?? '', parentKey ?? '', name)
  const { genre, year, manufacturer, brand } = facts
  const item: SetItem = {
    kind: 'set',
    file,
    line,
    key,
    parentKey,
    id: uniqueId === null ? null : key,
    name,
    setKind,
    genre,
    year,
    manufacturer,
    brand,
    status: null,
    description,
    releaseDate: null,
    deleted: false,
  }
  const wrong = setFault(item)
  yield wrong ? fault(context, `${name.slice(0, 200)}: ${wrong}`) : item
  return wrong ? null : item
}

/** Notes and odds as one text, a line each; null where there are none. */
export const describe = (notes: string[], odds: string[]) =>
  [...notes, ...(odds.length ? [`Odds: ${odds.join('; ')}`] : [])].join('\n') || null
