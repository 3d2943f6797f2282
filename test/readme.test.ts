import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brief } from './support/brief.ts'
import { builtExecutable } from './support/executable.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/until.ts'

const root = join(import.meta.dir, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
setDefaultTimeout(240_000)

/** A command of the README and what it prints there; `…` is anything, and one white space is as good as another. */
type Step = { command: string; answer: string }

const steps: Step[] = [...readme.matchAll(/^```(console|ts)\n(.*?)^```/gms)].flatMap(([, language, text = '']) =>
  language === 'ts' ? [programOf(text)] : commandsOf(text),
)

function commandsOf(text: string): Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...answer] = part.split('\n')
      return { command, answer: answer.join('\n') }
    })
}

/** The last lines of a program, as a comment, are what it prints. */
function programOf(text: string): Step {
  const [, program = '', printed = ''] = /^(.*?\n)((?:\/\/ .*\n)+)$/s.exec(text) ?? []
  return { command: `bun - <<'END'\n${program}END`, answer: printed.replace(/^\/\/ /gm, '') }
}

/** What differs from run to run: secrets, ids, times, sizes. */
const patternOf = (answer: string) => {
  const kinds: [RegExp, string][] = [
    [/cardstock_[a-z]+_\w+/, 'cardstock_[a-z]+_\\w+'],
    [/[0-9a-f]{8}-[0-9a-f-]{27}/, '[0-9a-f-]{36}'],
    [/(?=\w*\d)(?=\w*[A-Z])(?<!\w)\w{16}(?!\w)/, '\\w{16}'],
    [/\b\d{10}\b/, '\\d{10}'],
    [/\d+\.\d s/, '\\d+\\.\\d s'],
    [/\d+(?= bytes)/, '\\d+'],
    [/ ?… ?/, '.*?'],
  ]
  const changing = new RegExp(kinds.map(([kind]) => `(${kind.source})`).join('|'), 'g')
  const bare = onOneLine(answer)
  let [pattern, at] = ['', 0]
  for (const found of bare.matchAll(changing)) {
    const kind = found.slice(1).findIndex((part) => part !== undefined)
    pattern += literal(bare.slice(at, found.index)) + (kinds[kind]?.[1] ?? '')
    at = found.index + found[0].length
  }
  return new RegExp(`${pattern}${literal(bare.slice(at))}$`, 's')
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const matches = (printed: string, answer: string) => patternOf(answer).test(onOneLine(printed))

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** A clone in which a shell stands. It has `npx` and `bun` as its reader has them, and a port of its own in place of 3000. */
const port = String(freePort())
const home = mkdtempSync(join(tmpdir(), 'cardstock-readme-'))
const clone = join(home, 'clone')
const tools = join(home, 'tools')
mkdirSync(clone)
mkdirSync(tools)
for (const name of [
  'src',
  'db',
  'docs',
  'scripts',
  'patches',
  'package.json',
  'bun.lock',
  'bunfig.toml',
  'node_modules',
  'tsconfig.json',
])
  symlinkSync(join(root, name), join(clone, name))
writeFileSync(join(tools, 'npx'), '#!/bin/sh\nshift 2\nexec bun "$@"\n', { mode: 0o755 })
const shell = Bun.spawn(['bash', '--noprofile', '--norc'], {
  cwd: clone,
  env: { PATH: `${tools}:${dirname(process.execPath)}:${process.env.PATH}`, ...brief, HOME: home, PORT: port },
  ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' },
})
shell.stdin.write('set -m\n')
let heard = ''
const hearing = (async () => {
  for await (const piece of shell.stdout.pipeThrough(new TextDecoderStream())) heard += piece
})()

/** Has the shell run something to its end. */
const run = async (command: string) => {
  heard = ''
  shell.stdin.write(`{ ${command}\n} </dev/null\necho "<ended $?>"\n`)
  await until(() => /<ended \d+>\n$/.test(heard))
  const [, printed = '', code = ''] = /^(.*)<ended (\d+)>\n$/s.exec(heard) ?? []
  return { printed, code: Number(code) }
}

/** Commands that go on until the next one of them, or the end. */
const isService = ({ command }: Step) => /(quickstart|serve)$/.test(command)
const log = join(home, 'service.log')
const stopService = () => run('[ -z "$service" ] || { kill -TERM -- "-$service"; wait "$service"; service=; }')

afterAll(async () => {
  await stopService()
  shell.stdin.end()
  await hearing
  rmSync(home, { recursive: true, force: true })
})

const local = (text: string) =>
  text.replaceAll('localhost:3000', `localhost:${port}`).replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)

test('the README has commands, each of which is run below', () => {
  expect(steps.length).toBeGreaterThan(10)
  expect(steps.filter(isService).length).toBe(2)
})

/** As the README's reader has them. */
const isMissing = ['bash', 'curl'].some((tool) => !Bun.which(tool))

for (const step of steps)
  test.skipIf(isMissing)(`README.md: ${step.command.split('\n')[0]}`, async () => {
    const [command, answer] = [local(step.command), local(step.answer)]
    // These tests are that command.
    if (command.endsWith(' run test')) return
    if (command.endsWith(' run build')) {
      mkdirSync(join(clone, 'dist'))
      symlinkSync(await builtExecutable(), join(clone, 'dist/cardstock'))
      return
    }
    if (isService(step)) {
      await stopService()
      await run(`: >${log}; ${command} >${log} 2>&1 </dev/null & service=$!`)
      await until(() => matches(readFileSync(log, 'utf8'), answer)).catch(() => {
        throw new Error(`It said ${readFileSync(log, 'utf8')}`)
      })
      return
    }
    const { printed, code } = await run(command)
    expect({ code, printed, isAsShown: matches(printed, answer) }).toEqual({ code: 0, printed, isAsShown: true })
  })
