import { oneOf } from '../../kit/documents.ts'
import { at } from '../../kit/settings.ts'
import type { Field } from '../fields.tsx'
import { Pick } from './pick.tsx'
import { type Listed, type Picked, settle } from './vocabulary.ts'

/** A reference to another record. Its name is typed, and a new one is created if needed. */
export const reference = (name: string, label: string, type: Listed): Field<Picked> => ({
  ...{ name, label },
  read: ({ record, included }) => {
    const found = oneOf(record, name, included)
    return found ? { text: found.attributes.name, id: found.id } : { text: '' }
  },
  write: async (picked) => {
    const id = await settle(type, picked)
    return { relationships: { [name]: { data: id ? { type, id } : null } } }
  },
  show: ({ text, id }) => text && (addresses[type] && id ? <a href={at(addresses[type](id))}>{text}</a> : text),
  Input: (props) => <Pick {...{ type, name }} {...props} />,
})

const addresses: Partial<Record<Listed, (id: string) => string>> = {
  sets: (id) => `/sets/${id}`,
  genres: (id) => `/sets?genre=${id}`,
  years: (id) => `/sets?year=${id}`,
}
