import { expect, test } from 'bun:test'

const child = (work: string) =>
  Bun.spawnSync([
    process.execPath,
    '-e',
    `import { logCrashes } from './src/commands/serve.ts'
    import { openLog } from './src/lib/log.ts'
    logCrashes(openLog('info', 'json'))
    ${work}`,
  ])
const lines = (stderr: Buffer) =>
  stderr
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('a crash leaves one line in the log and ends the process', () => {
  const { exitCode, stderr } = child(
    "setTimeout(() => { throw new Error('out of reach') }); setTimeout(() => {}, 60_000)",
  )
  expect(exitCode).toBe(1)
  expect(lines(stderr)).toMatchObject([{ level: 'error', event: 'crash', message: 'out of reach' }])
})

test('a promise that fails unseen leaves one line in the log, and the process goes on', () => {
  const { exitCode, stderr } = child("Promise.reject(new Error('unseen')); setTimeout(() => process.exit(7), 50)")
  expect(exitCode).toBe(7)
  expect(lines(stderr)).toMatchObject([{ level: 'error', event: 'unhandled rejection', message: 'unseen' }])
})
