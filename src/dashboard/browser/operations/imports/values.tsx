import { placeOf } from '../curation/records.ts'

/** A value of a record as text. */
export const sayValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(sayValue).join(', ')
  if (isReference(value)) return `${value.type} ${value.id}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Names of fields as one says them. */
export const sayField = (field: string) => field.replace(/_id$/, '').replaceAll('_', ' ').replace('oncard', 'people')

type Reference = { type: string; id: string }

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && 'type' in value && 'id' in value

/** A value of a record; what refers to another record leads to it. */
export const Value = ({ value, field }: { value: unknown; field: string }) => {
  const all = Array.isArray(value) ? value : [value]
  const references = all.every(isReference)
    ? (all as Reference[])
    : field === 'set_id' && typeof value === 'string'
      ? [{ type: 'sets', id: value }]
      : []
  if (references.length === 0) return <bdi>{sayValue(value)}</bdi>
  return (
    <>
      {references.map(({ type, id }, place) => {
        const href = placeOf(type, id)
        const name = `${type} ${id.slice(-6)}`
        return (
          <span key={id}>
            {place > 0 && ', '}
            {href ? <a href={href}>{name}</a> : name}
          </span>
        )
      })}
    </>
  )
}
