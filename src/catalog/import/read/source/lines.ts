/** A physical line without its end, counted from 1; `text` is null for one that is longer than `longestLine`. */
export type Line = { number: number; text: string | null }

/** The longest line that is read, in UTF-16 units: many times what the longest texts of a card need. */
const longestLine = 1 << 20

/** Cuts text into lines at CRLF, LF or CR, holding one line at a time. */
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

/** The line that is being read, in the pieces that have come in; what goes beyond `longestLine` is not kept. */
const beginLine = () => {
  let pieces: string[] = []
  let length = 0
  let number = 0
  return {
    add: (piece: string) => {
      length += piece.length
      if (length > longestLine) pieces = []
      else if (piece !== '') pieces.push(piece)
    },
    isEmpty: () => length === 0,
    end: (): Line => {
      number += 1
      const text = length > longestLine ? null : pieces.join('')
      pieces = []
      length = 0
      return { number, text }
    },
  }
}

/** A line break in a cell of a sheet, whose lines are its rows. */
export const lineInCell = '\u2028'

/** Each run of white space that has a tab or a line break in it becomes one space; other control characters stay, to be refused. */
export const oneLine = (text: string): string =>
  /[\t-\r\x85\u2028\u2029]/.test(text)
    ? text.replace(/[\t-\r \x85\u2028\u2029]+/g, (run) => (/^ +$/.test(run) ? run : ' '))
    : text
