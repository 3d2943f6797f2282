import { get } from '../kit/api.ts'
import { useLoaded } from '../kit/load.ts'
import { usePerson } from '../kit/person.tsx'
import { settings } from '../kit/settings.ts'

/** A player of the catalog here, so that an example finds something. */
type Sample = { id: string; name: string }

/** The first player that whoever reads this may see; undefined where there is none, or nobody may look without a key. */
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
