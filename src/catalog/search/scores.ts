/**
 * How good a match is: of a whole name, of words of a name, of a set by its year, brand and the like, of a card by what is
 * on it; `near` for each term that is only near.
 */
export const scores = { whole: 1, name: 0.9, label: 0.85, card: 0.8, near: 0.5 }

/** What so many near words make of a score, in SQL. */
export const nearFactor = (near: string) => `power(${scores.near}::float8, ${near})`
