import { csvCell } from '../lib/guarded.ts'
import type { Line } from './browser/catalog/card-lines.ts'

/** Lines as CSV under the columns that are named. */
export async function* writeCsv(names: readonly string[], pieces: AsyncGenerator<Line[]>): AsyncGenerator<string> {
  let before = `${names.join(',')}\r\n`
  for await (const lines of pieces) {
    yield before + lines.map((line) => `${names.map((name) => csvCell(line[name] ?? '')).join(',')}\r\n`).join('')
    before = ''
  }
  yield before
}

/** Lines as JSON, with their set's full name. */
export async function* writeJson(name: string, pieces: AsyncGenerator<Line[]>): AsyncGenerator<string> {
  let before = `{\n  "set": ${JSON.stringify(name)},\n  "cards": [\n`
  for await (const lines of pieces) {
    yield before + lines.map((line) => `    ${JSON.stringify(line)}`).join(',\n')
    before = ',\n'
  }
  yield before === ',\n' ? '\n  ]\n}\n' : `${before}  ]\n}\n`
}
