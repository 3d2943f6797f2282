import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const folder = mkdtempSync(join(tmpdir(), 'cardstock-told-'))
afterAll(() => rmSync(folder, { recursive: true }))

const header = 'genre,year,brand,set,parent_set,number,player,team\n'
const importText = (text: string, ...flags: string[]) =>
  runningCommands(app.context, `${header}${text}`)('import', '-', ...flags)
const setsNamed = async (name: string) =>
  (await app.db.sql`select count(*)::int as n from sets where name = ${name}`)[0]?.n

describe('--refused', () => {
  const rows = 'Baseball,1990,,Half,,1,Ann Lee,\nBaseball,1990,,Half,,#REF!,Bo Lee,\n'

  test.each([
    ['in a folder that does not exist', join(folder, 'none/bad.csv'), `there is no folder ${join(folder, 'none')}.`],
    ['that is a folder', folder, 'it is a folder.'],
    ['below a file', join(import.meta.path, 'bad.csv'), `there is no folder ${import.meta.path}.`],
    ['with too long a name', join(folder, 'x'.repeat(300)), 'its name is too long.'],
  ])('a file %s is refused before anything is imported', async (_, path, reason) => {
    const { exit, out, err } = await importText(rows, '--refused', path)
    expect([exit, out, err]).toEqual([1, '', `${path} cannot be written: ${reason}\n`])
    expect(await setsNamed('Half')).toBe(0)
  })

  test.skipIf(!existsSync('/dev/full'))('the report is printed even if the file cannot take its rows', async () => {
    const { exit, out, err } = await importText(rows, '--refused', '/dev/full')
    expect([exit, err]).toEqual([1, '/dev/full cannot be written: the disk is full.\n'])
    expect(out).toContain('To undo it: cardstock import --undo')
  })

  test("a new file gets its mode from the caller's umask, whatever this process's is", async () => {
    const path = join(folder, 'bad.csv')
    const before = process.umask(0o077)
    const run = runningCommands(app.context, header + rows, 0o022)
    await run('import', '-', '--refused', path).finally(() => process.umask(before))
    expect(statSync(path).mode & 0o777).toBe(0o644)
    expect(readFileSync(path, 'utf8')).toContain('#REF!')
  })

  test('an existing file is replaced, and keeps its mode', async () => {
    const path = join(folder, 'kept.csv')
    writeFileSync(path, 'x'.repeat(10_000), { mode: 0o640 })
    await importText(rows, '--refused', path)
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readFileSync(path, 'utf8')).not.toContain('x')
  })
})

test('a file of a folder that cannot be read is refused in a sentence, and the others are imported', async () => {
  const many = mkdtempSync(join(folder, 'many-'))
  writeFileSync(join(many, 'a.csv'), `${header}Baseball,1990,,Readable A,,1,Ann Lee,\n`)
  symlinkSync('/proc/self/mem', join(many, 'b.csv'))
  writeFileSync(join(many, 'c.csv'), `${header}Baseball,1990,,Readable C,,1,Ann Lee,\n`)
  const { exit, out } = await runningCommands(app.context)('import', many)
  expect([exit, out]).toEqual([
    1,
    expect.stringContaining(
      '\n1 row refused (the rest was imported):\n  b.csv: The file cannot be read: the disk failed',
    ),
  ])
  expect([await setsNamed('Readable A'), await setsNamed('Readable C')]).toEqual([1, 1])
})

test('a dry run names what it would create, and says that nothing was written', async () => {
  const { out } = await importText('Chess,1991,Rook,Base,Whole,1,Ann Lee,\n', '--dry-run')
  expect(out).toMatch(/new set Whole: .*genre_id Chess, year_id 1991, brand_id Rook/)
  expect(out).toMatch(/new set Base: .*parent_id Whole/)
  expect(out).toContain('new card 1 Ann Lee: set_id Base, number 1')
  expect(out).toEndWith('This was a dry run: nothing was written.\n')
})

test('the rest is said to be imported only where there is a rest, and it was', async () => {
  const [good, bad] = ['Chess,1992,,Rest,,1,Ann Lee,\n', 'Chess,1992,,Rest,,#REF!,Bo Lee,\n']
  expect((await importText(bad)).out).toContain('\n1 row refused:\n')
  expect((await importText(good + bad, '--dry-run')).out).toContain('\n1 row refused:\n')
  expect((await importText(good + bad)).out).toContain('\n1 row refused (the rest was imported):\n')
})
