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
