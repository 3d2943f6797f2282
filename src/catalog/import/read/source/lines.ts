/** A physical line without its line break, numbered from 1. `text` is null if it's longer than `longestLine`; then `head` begins it. */
export type Line = { number: number; text: string | null; head?: string }

/** The longest line that is read, in UTF-16 units, many times what a card's longest texts need. */
export const longestLine = 1 << 20
const headLength = 1 << 16

/** Splits text into lines at CRLF, LF or CR, holding one line at a time. */
export async function* readLines(text: AsyncIterable<string>): AsyncGenerator<Line> {
  const line = beginLine()
  let carriage = ''
  for await (const chunk of text) {
    const whole = carriage + chunk
    carriage = whole.endsWith('\r') ? '\r' : ''
    const settled = carriage ? whole.slice(0, -1) : whole
    let start = 0
    for (const end of settled.matchAll(/\r\n|\n|\r/g)) {
      line.add(settled.slice(start, end.index))
      yield line.end()
      start = end.index + end[0].length
    }
    line.add(settled.slice(start))
  }
  if (!line.isEmpty()) yield line.end()
}

/** The line being read, in pieces as they arrive. If it grows beyond `longestLine`, only its head is kept. */
const beginLine = () => {
  let pieces: string[] = []
  let head = ''
  let length = 0
  let number = 0
  return {
    add: (piece: string) => {
      length += piece.length
      if (length > longestLine) {
        head ||= (pieces.join('') + piece).slice(0, headLength)
        pieces = []
      } else if (piece !== '') pieces.push(piece)
    },
    isEmpty: () => length === 0,
    end: (): Line => {
      number += 1
      const line = length > longestLine ? { number, text: null, head } : { number, text: pieces.join('') }
      pieces = []
      head = ''
      length = 0
      return line
    },
  }
}

/** A line break within a cell of a sheet's CSV, where each line is a row. */
export const lineInCell = '\u2028'

/** Replaces each run of whitespace that has a tab or line break with one space. Other control characters stay, and are refused later. */
export const oneLine = (text: string): string =>
  /[\t-\r\x85\u2028\u2029]/.test(text)
    ? text.replace(/[\t-\r \x85\u2028\u2029]+/g, (run) => (/^ +$/.test(run) ? run : ' '))
    : text
