/** A type's name without case, `-` and `_`: what two spellings of it share (decisions.md §21). */
export const foldType = (type: string) => type.toLowerCase().replace(/[-_]/g, '')

/** The one of these types that a request means in any spelling, such as `card-images`. Undefined if it is none of them. */
export const typeAmong = (types: readonly string[], sent: unknown): string | undefined => {
  if (typeof sent !== 'string') return undefined
  if (types.includes(sent)) return sent
  const folded = foldType(sent)
  return types.find((type) => foldType(type) === folded)
}
