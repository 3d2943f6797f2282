/** A value of a record as text. */
export const sayValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(sayValue).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A field's name in plain words. */
export const sayField = (field: string) => names[field] ?? field.replace(/_id$/, '').replaceAll('_', ' ')

const names: Record<string, string> = { oncard: 'people', attributes: 'codes', born_on: 'birthday' }
