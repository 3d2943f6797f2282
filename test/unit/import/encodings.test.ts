import { describe, expect, test } from 'bun:test'
import { inShort, readItems } from './items.ts'

const header = 'Set,Card #,Player\n'
const list = (names: string[]) => header + names.map((name, no) => `S,${no + 1},${name}\n`).join('')

/** The bytes of a text in an encoding, by the decoder that the encoding has. */
const encoded = (text: string, encoding: string) => {
  const known = new Map<string, number[]>()
  const decoder = new TextDecoder(encoding, { fatal: true })
  const add = (bytes: number[]) => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes))
      if ([...letter].length === 1 && !known.has(letter)) known.set(letter, bytes)
    } catch {}
  }
  for (let first = 0; first < 256; first++) add([first])
  if (!/^(?:windows|mac)/.test(encoding))
    for (let first = 0x81; first < 255; first++) for (let second = 0x40; second < 255; second++) add([first, second])
  return Uint8Array.from([...text].flatMap((letter) => known.get(letter) ?? []))
}

const latin = ['José Ramírez', 'Ronald Acuña Jr.', 'André Dawson', 'Félix Hernández', 'Shaquille O’Neal']

describe('a text is read in the encoding that has the most of its letters in words, and the report says which', () => {
  test.each([
    ['macintosh', 'Mac Roman', latin],
    ['macintosh', 'Mac Roman', ['José Ramírez']],
    ['macintosh', 'Mac Roman', ['Ronald Acuña Jr.']],
    ['macintosh', 'Mac Roman', ['Jürgen Klinsmann', 'Søren Lerby', 'Thomas Müller']],
    ['windows-1252', 'Windows-1252', latin],
    ['windows-1252', 'Windows-1252', ['The Collector’s Edition', 'The “Kid” 2023–24 Lee']],
    ['windows-1252', 'Windows-1252', ['Øyvind Leonhardsen', 'Ole Gunnar Solskjær']],
    ['windows-1251', 'Windows-1251', ['Сергей Бобровский', 'Александр Овечкин']],
    ['shift_jis', 'Shift-JIS', ['大谷翔平', '佐々木朗希', 'イチロー', '村上宗隆']],
    ['shift_jis', 'Shift-JIS', ['イチロー']],
    ['euc-jp', 'EUC-JP', ['大谷翔平', 'イチロー', 'さとう']],
    ['gb18030', 'GB18030', ['姚明', '易建联', '王治郅', '周琦', '刘翔']],
    ['big5', 'Big5', ['林書豪', '陳偉殷', '王建民', '郭泓志']],
    ['euc-kr', 'EUC-KR', ['류현진', '추신수', '박찬호', '김하성', '이정후']],
  ])('%s', async (encoding, name, names) => {
    const { cards, notes, faults } = await readItems(encoded(list(names), encoding))
    expect(notes.filter(({ rule }) => rule === 'read-as').map(({ text }) => text)).toEqual([name])
    expect(cards.map((card) => inShort(card).join() || card.title)).toEqual(
      names.map((each) => each.replace(/(?<=\p{L})’(?=\p{L})/u, "'").replace('–', '-')),
    )
    expect(faults).toEqual([])
  })

  test('whatever comes before its first letter', async () => {
    const many = Array.from({ length: 3000 }, (_, no) => `Pat Player ${no}`)
    const { cards } = await readItems(encoded(list([...many, 'José Ramírez']), 'macintosh'))
    expect(inShort(cards.at(-1) ?? { entries: [] })).toEqual(['José Ramírez'])
  })

  test('unless the caller names one', async () => {
    const { cards, notes } = await readItems(encoded(list(latin), 'macintosh'), 'a.csv', { encoding: 'macintosh' })
    expect([inShort(cards[0] ?? { entries: [] }), notes.length]).toEqual([['José Ramírez'], 0])
  })

  test('and is refused, with both readings of its first odd line, if two have as many', async () => {
    // Each byte is a letter in a word in both encodings.
    const bytes = Buffer.concat([
      Buffer.from(`${header}S,1,Ann Lee\nS,2,`),
      Uint8Array.of(0xd0, 0xc0, 0xd0, 0xc0),
      Buffer.from('\n'),
    ])
    const { cards, faults } = await readItems(bytes, 'a.csv')
    if (faults.length > 0) {
      expect(cards).toEqual([])
      expect(faults[0]?.reason).toMatch(/may be .+ or .+: line 3 would be “S,2,.+” or “S,2,.+”/)
    }
  })
})

describe('UTF-8 that was read in a wrong encoding', () => {
  const utf8 = (name: string, encoding: string) => new TextDecoder(encoding).decode(Buffer.from(name))
  const names = ['Luka Dončić', 'Łukasz Fabiański', 'José Ramírez', 'Nikola Jokić', 'Ke’Bryan Hayes']

  test.each(['windows-1252', 'macintosh', 'iso-8859-1'])('is mended whole and told: %s', async (encoding) => {
    const all = [...names, 'Сергей Бобровский', '大谷翔平']
    const { cards, notes } = await readItems(list(all.map((name) => utf8(name, encoding))))
    expect(cards.map((card) => inShort(card).join() || card.title)).toEqual(
      all.map((name) => name.replace(/’(?=B)/, "'")),
    )
    expect(notes.filter(({ rule }) => rule === 'mended-text')).toHaveLength(all.length)
  })

  test('by LibreOffice, which writes U+F181 for what Windows-1252 lacks', async () => {
    const libre = (name: string) =>
      utf8(name, 'windows-1252').replace(/[\x80-\x9f]/g, (sign) => String.fromCharCode(0xf100 + sign.charCodeAt(0)))
    const { cards, faults } = await readItems(list([...names, 'Сергей Бобровский', '大谷翔平', 'Jakub ďx'].map(libre)))
    expect(cards.map((card) => inShort(card).join() || card.title)).toEqual([
      ...['Luka Dončić', 'Łukasz Fabiański', 'José Ramírez', 'Nikola Jokić', "Ke'Bryan Hayes"],
      ...['Сергей Бобровский', '大谷翔平', 'Jakub ďx'],
    ])
    expect(faults).toEqual([])
  })

  test('twice is mended twice', async () => {
    const { cards } = await readItems(list([utf8(utf8('José Ramírez', 'windows-1252'), 'windows-1252')]))
    expect(inShort(cards[0] ?? { entries: [] })).toEqual(['José Ramírez'])
  })

  test('and lost some of its bytes refuses its row', async () => {
    for (const name of ['VoilÃ', 'Luka Donâ€', 'Jakub \uf18fx', 'Jos√', 'Ann \x81 Lee'])
      expect([name, (await readItems(list([name]))).faults.length]).toEqual([name, 1])
  })

  test('letters that only look like it stay', async () => {
    const names = [
      'SÃO PAULO FC',
      'João Félix',
      'Âge Hareide',
      'Åge Hareide',
      'JOSÉ’S BEST',
      'Ørjan Nyland',
      'Éder Militão',
    ]
    const { notes, faults } = await readItems(list(names))
    expect([notes.filter(({ rule }) => rule === 'mended-text'), faults]).toEqual([[], []])
  })
})
