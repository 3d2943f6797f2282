/** A word or a name with a capital, as a brand stands in a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
