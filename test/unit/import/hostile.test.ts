import { expect, test } from 'bun:test'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { inShortTurns } from '../../support/turn-watch.ts'
import { hostileRows } from './hostile-rows.ts'

test('a turn that is too long fails with its stack', async () => {
  const computeForLong = () => {
    const end = process.cpuUsage().user + 300_000
    while (process.cpuUsage().user < end);
  }
  await expect(
    inShortTurns(async () => {
      await Bun.sleep(20)
      computeForLong()
      await Bun.sleep(20)
    }),
  ).rejects.toThrow('computeForLong')
})

test.each(['own', 'foreign', 'JSON'] as const)(
  'cells that are as long as they may be, of any pattern in any column, give others their turns: %s',
  async (form) => {
    const { name, rows } = hostileRows(form, 9900)
    await inShortTurns(async () => {
      for await (const _ of readChecklist({ name, stream: rows() }));
    })
  },
)

test('100,000 columns give others their turns', async () => {
  const header = Buffer.from(Array.from({ length: 100_000 }, (_, no) => `numbr${no}`).join(','))
  async function* table() {
    yield header
    yield Buffer.from('\nS,1,Ann Lee\n')
  }
  await inShortTurns(async () => {
    for await (const _ of readChecklist({ name: 'wide.csv', stream: table() }));
  })
})

const megabyte = 1 << 20
const bomb = Array.from({ length: 12 }, (_, at) => `- &a${at + 1} [${`*a${at},`.repeat(9)}]\n`).join('')
const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))

test.each([
  ['rows that are none', filled('- a\n', megabyte)],
  ['rows of many members', filled(`- {${Array.from({ length: 500 }, (_, no) => `a${no}: b`)}}\n`, megabyte)],
  ['aliases', `- &a0 x\n${filled(bomb, megabyte)}`],
  ['lists in lists', filled('[', megabyte)],
  ['lists in lists, in blocks', filled('- ', megabyte)],
  ['mappings in mappings', Array.from({ length: 1400 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
  ['one long text', `- "${filled('x\n  ', megabyte)}"`],
  ['one long block', `- |\n${filled('  x\n', megabyte)}`],
  ['blank lines', filled('\n', megabyte)],
  ['comments', filled('#\n', megabyte)],
  ['documents', filled('---\n', megabyte)],
  ['anchors', filled('- &a x\n', megabyte)],
  ['members with one name', filled('a: x\n', megabyte)],
  ['members that are lists', Array.from({ length: 20_000 }, (_, no) => `a${no}:\n- b\n`).join('')],
  ['quotes', filled('- "\n', megabyte)],
] as const)('YAML gives others their turns, whatever it is: %s', async (_, text) => {
  async function* piecesOf() {
    for (let at = 0; at < text.length; at += 1 << 16) yield Buffer.from(text.slice(at, at + (1 << 16)))
  }
  await inShortTurns(async () => {
    for (const name of ['checklists/base.yaml', 'set.yaml', 'manifest.yaml'])
      for await (const _ of readChecklist({ name, stream: piecesOf() }));
  })
})
