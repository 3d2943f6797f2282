import type { Report } from './document.ts'

/** The report as plain text for people. Texts are left-aligned, numbers right-aligned. */
export const renderTable = ({ generated_at, seasons, months }: Report): string =>
  `${[
    `Sales readiness, ${generated_at}`,
    table(
      ['Genre', 'Season', 'Sets', 'Published', 'Cards', 'With image', 'With sources', 'Workflows complete'],
      seasons.map((one) => [
        one.genre ?? '(none)',
        one.year,
        one.sets,
        one.published_sets,
        one.cards,
        one.cards_with_image,
        one.sets_with_sources,
        one.workflows_complete,
      ]),
    ),
    table(
      ['Month', 'Sets published', 'Cards published'],
      months.map(({ month, published_sets, published_cards }) => [month, published_sets, published_cards]),
    ),
  ].join('\n\n')}\n`

const table = (head: string[], rows: (string | number)[][]): string => {
  const lines = [head, ...rows.map((row) => row.map(cell))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))))
  return lines.map((line) => align(line, widths, rows[0] ?? [])).join('\n')
}

const align = (line: string[], widths: number[], kinds: (string | number)[]) => {
  const cells = line.map((text, column) => {
    const room = ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(text))
    return typeof kinds[column] === 'number' ? room + text : text + room
  })
  return cells.join('  ').trimEnd()
}

/** A cell without line breaks, since names may contain them. */
const cell = (value: string | number) =>
  typeof value === 'number' ? value.toLocaleString('en-US') : value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
