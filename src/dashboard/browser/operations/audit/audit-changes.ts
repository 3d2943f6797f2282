import { sayName } from '../../kit/format.ts'

type Change = { name: string; before: string; after: string }
type Fact = { name: string; value: string }
type Data = Record<string, unknown>

/**
 * Splits an audit log entry's data into changes and facts. Changes are `from` and `to`, `previous_x` with `x`, and whole `before`
 * and `after` objects, as programs post them. The rest are facts.
 */
export const readChanges = (data: Data): { changes: Change[]; facts: Fact[] } => {
  const rest = new Map(Object.entries(data))
  const take = (name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }
  const changes: Change[] = []
  const add = (name: string, before: unknown, after: unknown) =>
    changes.push({ name: sayName(name), before: say(before), after: say(after) })
  if (rest.has('from') && rest.has('to')) add('state', take('from'), take('to'))
  for (const name of Object.keys(data).filter((one) => one.startsWith('previous_')))
    add(name.slice('previous_'.length), take(name), take(name.slice('previous_'.length)))
  const before = rest.get('before')
  const after = rest.get('after')
  if (isObject(before) && isObject(after)) {
    rest.delete('before')
    rest.delete('after')
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) add(name, before[name], after[name])
  }
  return { changes, facts: [...rest].map(([name, value]) => ({ name: sayName(name), value: say(value) })) }
}

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

const say = (value: unknown): string => {
  if (value === null || value === undefined) return '–'
  if (isObject(value))
    return Object.entries(value)
      .map(([name, member]) => `${sayName(name)}: ${say(member)}`)
      .join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
