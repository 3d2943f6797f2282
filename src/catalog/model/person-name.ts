/** A person's name as the catalog stores it. `firstName` is empty if the name is a single word. */
export type PersonName = { firstName: string; lastName: string }

/**
 * Splits a full name (decisions.md §4, §10). The last word is the last name, along with its suffix (Jr., Sr., II, III, IV, V).
 * Everything before it is the first name. A single word is a last name. Runs of white space become one space.
 * An empty text gives two empty names.
 */
export const splitFullName = (fullName: string): PersonName => {
  const words = fullName.trim().split(/\s+/)
  const suffixed = words.length > 1 && isNameSuffix(words.at(-1) ?? '')
  const lastAt = Math.max(0, words.length - (suffixed ? 2 : 1))
  return { firstName: words.slice(0, lastAt).join(' '), lastName: words.slice(lastAt).join(' ') }
}

/** The display name: first and last name with a space, or whichever there is. */
export const personName = ({ firstName, lastName }: PersonName) =>
  firstName && lastName ? `${firstName} ${lastName}` : firstName || lastName

/** Whether a word is a name suffix: Jr or Sr in any case, with or without a period, or II to V in capitals. */
const isNameSuffix = (word: string) => /^[js]r\.?$/i.test(word) || /^(?:II|III|IV|V)$/.test(word)
