/** A word or name with a capital letter, as a brand is written in a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
