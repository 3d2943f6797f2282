/**
 * A cell as others may open it in a spreadsheet. What would be read as a formula there gets a leading apostrophe, and so does what
 * has one for that already, so that `unguarded` gives the same text back.
 */
const guarded = (cell: string): string => (/^'*[=+@\t\r-]/.test(cell) ? `'${cell}` : cell)

/** The same as a cell of a CSV file, in quotes where it needs them. */
export const csvCell = (text: string): string => {
  const cell = guarded(text)
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A cell without the apostrophe that keeps a spreadsheet from reading it as a formula. */
export const unguarded = (cell: string): string =>
  cell.charCodeAt(0) === 39 && /^'+[=+@\t\r-]/.test(cell) ? cell.slice(1) : cell
