import { expect, test } from 'bun:test'
import { join } from 'node:path'

const bench = (words: string) => {
  const command = [process.execPath, join(import.meta.dir, 'main.ts'), ...words.split(' ')]
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  return { exitCode, out: stdout.toString(), err: stderr.toString() }
}

test('bun run bench --help says what it takes, and measures nothing', () => {
  const { exitCode, out } = bench('--help')
  expect(exitCode).toBe(0)
  expect(out).toStartWith('Usage: bun run bench [--cards N] [--only PART,…]')
})

test.each(['--colour', '--only everything', '--cards many', 'twice'])(
  'bun run bench %s is refused with a sentence',
  (words) => {
    const { exitCode, out, err } = bench(words)
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toEndWith('. bun run bench --help says more.\n')
    expect(err.split('\n')).toHaveLength(2)
  },
)
