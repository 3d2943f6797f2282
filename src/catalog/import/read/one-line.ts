import type { Column } from './row.ts'

/** The columns whose texts may have several lines. */
const MULTILINE: ReadonlySet<Column> = new Set(['notes', 'description'])

/** A cell as its column takes it: tabs and line breaks in a text of one line are a space, as spreadsheets mean them. */
export const cellText = (column: Column, text: string): string => (MULTILINE.has(column) ? text : oneLine(text))

/** Each run of white space that has a tab or a line break in it becomes one space; other control characters stay, to be refused. */
export const oneLine = (text: string): string =>
  text.replace(/[\t-\r \x85\u2028\u2029]+/g, (run) => (/^ +$/.test(run) ? run : ' '))
