/** What expressions that aren't linear stumble over, each repeated to fill a cell. */
const patterns = [
  ...[
    'a',
    'A',
    '1',
    '0',
    ' ',
    '.',
    ',',
    '/',
    '(',
    ')',
    '"',
    "'",
    '-',
    '#',
    '|',
    '&',
    '\u2028',
    'é',
    'あ',
    'Ã',
    '√',
    '&#',
  ],
  ...['A ', 'A, ', 'A / ', '(a', '1,', ' Jr.', 'x of ', 'RC ', 'A (B) ', '12 ', 'jan ', '‚Ä', 'ã‚', '“’'],
]

const own = [
  ...['set', 'number', 'player', 'team', 'title', 'attributes', 'print_run', 'serial_number', 'notes', 'year', 'genre'],
  ...['brand', 'manufacturer', 'parent_set', 'subset', 'parallel', 'rookie', 'autograph', 'team_city', 'id:tcdb', 'x'],
]
const foreign = [
  ...['Set Name', 'Card #', 'Player Name', 'Team Name', 'Flags', 'Numbered', 'Notes', 'Season', 'Product', 'Insert'],
  ...['Variety', 'Team City', 'Sport', 'Company', 'Brand', 'x'],
]

/** A table or JSON Lines with each pattern in each column, so many characters long, and the name of the file. */
export const hostileRows = (form: 'own' | 'foreign' | 'JSON', length: number) => {
  const names = form === 'foreign' ? foreign : own
  const good = ['S', '1', 'Ann Lee']
  const quoted = (cells: string[]) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
  async function* rows(): AsyncGenerator<Uint8Array> {
    if (form !== 'JSON') yield Buffer.from(quoted(names))
    for (const at of names.keys())
      for (const pattern of patterns) {
        const long = `${pattern.repeat(length / pattern.length)}z`
        const cells = names.map((_, no) => (no === at ? long : (good[no] ?? '')))
        const json = () => `${JSON.stringify(Object.fromEntries(names.map((name, no) => [name, cells[no]])))}\n`
        const row = Buffer.from(form === 'JSON' ? json() : quoted(cells))
        // What making the row took is no part of reading it.
        await Bun.sleep(0)
        yield row
      }
  }
  return { name: form === 'JSON' ? 'hostile.jsonl' : 'hostile.csv', rows }
}
