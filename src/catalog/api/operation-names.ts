import { capital } from '../../lib/capital.ts'
import type { Resource } from '../model/resource.ts'

/** The noun of a resource as operations name it. */
export const title = (resource: Resource) => resource.noun.split(/[ -]/).map(capital).join('')
/** The plural of a resource as operations name it. */
export const plural = (resource: Resource) => resource.path.split('-').map(capital).join('')

/** The noun of a resource with its article. */
export const aNoun = ({ noun }: Resource) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** How operations of a version of the API are told apart. */
export const suffix = ({ api }: Resource) => (api ? 'V2' : '')
