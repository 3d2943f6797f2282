/** A person's name as the catalog stores it; `firstName` is empty if the name is a single word. */
export type PersonName = { firstName: string; lastName: string }

/**
 * Splits a full name (decisions.md §4, §10): the last word is the last name, with its suffix (Jr., Sr., II, III, IV, V);
 * everything before it is the first name; a single word is a last name. Runs of white space become one space.
 * An empty text gives two empty names.
 */
export const splitFullName = (fullName: string): PersonName => {
  const words = fullName.trim().split(/\s+/)
  const suffixed = words.length > 1 && isNameSuffix(words.at(-1) ?? '')
  const lastAt = Math.max(0, words.length - (suffixed ? 2 : 1))
  return { firstName: words.slice(0, lastAt).join(' '), lastName: words.slice(lastAt).join(' ') }
}

/** The display name: first, space, last, or whichever there is. */
export const personName = ({ firstName, lastName }: PersonName) =>
  firstName && lastName ? `${firstName} ${lastName}` : firstName || lastName

/** Whether a word is a suffix of a name: Jr and Sr in any case, with or without the full stop; II to V in capitals. */
const isNameSuffix = (word: string) => /^[js]r\.?$/i.test(word) || /^(?:II|III|IV|V)$/.test(word)
