import { get } from '../kit/api.ts'
import { useLoaded } from '../kit/load.ts'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'

/** A player in this catalog, so that an example finds something. */
type Sample = { id: string; name: string }

/** The first player that the reader may see. Undefined if there is none, or if the catalog needs a key. */
export const useSample = (): Sample | undefined => {
  const { person } = usePerson()
  const base = person ? '/v1' : settings.catalogIsPublic ? '/pages/v1' : undefined
  const read = useLoaded(async (signal) => {
    if (!base) return undefined
    const { data } = await get<{ data: { id: string; attributes: { name: string } }[] }>(`${base}/players?per_page=1`, {
      signal,
    })
    const [player] = data
    return player && { id: player.id, name: player.attributes.name }
  }, `sample ${base}`)
  return read.value
}
