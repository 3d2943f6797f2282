/** The most cells from the first to the last one of a sheet, empty ones included: whoever reads the sheet fills them all in. */
export const mostCells = 20_000_000

/**
 * Whether a sheet's rows and cells span more than `mostCells`, or are where no sheet has any. A few bytes are enough to put a cell
 * at row 99,999,999,999.
 */
export const spansTooMuch = (sheet: string): boolean => {
  let [rows, columns] = [0, 0]
  for (const [, rest = ''] of sheet.matchAll(tags)) {
    const isEmpty = /\/>\s*$/.test(rest)
    for (const [, place = ''] of rest.matchAll(places)) {
      const [, letters = '', digits] = /^([A-Z]{0,3})(\d{1,7})$/.exec(place) ?? []
      if (digits === undefined) return true
      rows = Math.max(rows, Number(digits))
      if (!isEmpty) columns = Math.max(columns, columnOf(letters))
    }
  }
  return rows * columns > mostCells
}

/** A row or a cell, up to the next tag: no attribute holds a `<`. */
const tags = /<(?:[\w.-]+:)?(?:row|c)(?=[\s/>])([^<]*)/g

/** Where it says it is: `r="7"` or `r="B7"`. */
const places = /\sr\s*=\s*["']([^"']*)["']/g

/** A is 1, Z is 26, AA is 27. */
const columnOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
