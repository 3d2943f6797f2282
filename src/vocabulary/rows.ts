/** The rows of a vocabulary: a list of facts that people edit, without commas or quotes in a cell. Lines with # are comments. */
export const rowsOf = (csv: string): string[][] =>
  csv
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(1)
    .map((line) => line.split(','))

/** The parts of a cell with semicolons. None if it is empty. */
export const semicolonParts = (cell = ''): string[] => cell.split(';').flatMap((part) => part.trim() || [])
