import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const run = runningCommands(app.context)
const told = async (...words: string[]) => {
  const { exit, err } = await run('user', 'create', ...words)
  return [exit, err]
}
const wrong = (sentence: string) => [2, `${sentence}. See cardstock user create --help.\n`]

test('wrong flags are refused in one sentence each', async () => {
  expect(await told('--email')).toEqual(wrong('--email needs a value'))
  const dashed = '--password needs a value; write one that starts with a dash as --password=-x'
  expect(await told('--email', 'a@example.org', '--password', '-x')).toEqual(wrong(dashed))
  expect(await told('--operator=yes')).toEqual(wrong('--operator takes no value'))
  expect(await told('--port', '4000')).toEqual(wrong("Unknown option '--port'"))
  expect(await told('ann')).toEqual(wrong('Unexpected argument "ann"'))
})

test('a flag for one value is refused where it is given twice, instead of taking the last', async () => {
  const scopes = ['--scope', 'read:published', '--scope', 'read:draft']
  const { exit, err } = await run('token', 'create', '--user', 'ann@example.org', ...scopes)
  expect([exit, err]).toEqual([2, '--scope is given twice. See cardstock token create --help.\n'])
})

test('a flag without a value may be repeated, and so may one for several values', async () => {
  const maps = ['--map', 'Athlete=player', '--map', 'Nr=number']
  expect((await run('import', '/nowhere.csv', ...maps, '--json', '--json')).err).toStartWith(
    'There is no file or folder',
  )
})

test('a flag that stands for a way of its own is refused beside the flags of another', async () => {
  const id = crypto.randomUUID()
  for (const [words, sentence] of [
    [['import', '--list', '--undo', id], '--list and --undo cannot be combined'],
    [['import', '--undo', id, '--publish'], '--undo and --publish cannot be combined'],
    [['import', '--dry-run', '--list', '--json'], '--list and --dry-run cannot be combined'],
    [['import', 'cards.csv', '--list'], 'Unexpected argument "cards.csv"'],
    [['import', '--json'], 'FILE is missing'],
    [['mirror', '--stop', '--key', 'k'], '--stop and --key cannot be combined'],
    [['mirror', 'https://cards.example.org', '--stop'], 'Unexpected argument "https://cards.example.org"'],
  ] as const) {
    const { exit, err, out } = await run(...words)
    expect([words, exit, err, out]).toEqual([words, 2, `${sentence}. See cardstock ${words[0]} --help.\n`, ''])
  }
  expect((await run('import', '--', '--list')).err).toBe('There is no file or folder --list.\n')
})

test('a flag that is empty, as an unset variable leaves it, chooses nothing in silence', async () => {
  const [player, set] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const [flag, sentence] of [
    ['--genre', '--genre is not a UUID'],
    ['--team', '--team is not a UUID'],
    ['--year-from', '"" is not a year'],
    ['--year-to', '"" is not a year'],
    ['--name', '--name is missing'],
    ['--disambiguation', '--disambiguation is missing'],
  ] as const) {
    const { exit, err } = await run('split', player, '--set', set, flag, '')
    expect([flag, exit, err]).toEqual([flag, 2, `${sentence}. See cardstock split --help.\n`])
  }
})

test('a name that the service refuses is refused of a command, and so is a number that is too large', async () => {
  const long = 'x'.repeat(256)
  const tooLong = (flag: string) => `--${flag} must have at most 255 characters`
  const oneLine = '--name must be one line without control characters'
  for (const [words, sentence] of [
    [['invite', 'create', '--label', long], tooLong('label')],
    [['token', 'create', '--scope', 'write', '--user', 'ann@example.org', '--name', long], tooLong('name')],
    [['split', crypto.randomUUID(), crypto.randomUUID(), '--name', 'A\nB'], oneLine],
    [['invite', 'create', '--max-uses', '9999999999'], '--max-uses must be a whole number from 1 to 999,999,999'],
  ] as const) {
    const { exit, err } = await run(...words)
    const name = words[0] === 'split' ? 'split' : words.slice(0, 2).join(' ')
    expect([exit, err]).toEqual([2, `${sentence}. See cardstock ${name} --help.\n`])
  }
})
