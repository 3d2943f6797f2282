import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A part of a page of the docs: its heading, and its code by language. */
export type Section = { heading: string; code: Record<string, string> }

/** The parts of a page with code. Each is headed by a line that begins with `###`. */
export const sectionsOf = (page: string): Section[] => {
  const text = readFileSync(join(import.meta.dir, '../..', page), 'utf8')
  return text
    .split(/^### /m)
    .slice(1)
    .map((part) => ({
      heading: part.slice(0, part.indexOf('\n')),
      code: Object.fromEntries(
        [...part.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, code]) => [language, code]),
      ),
    }))
}

/** What a program says that it prints: the comments behind its calls of `console.log`, a line each. */
export const printedBy = (program: string): string[] =>
  [...program.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(([, printed = '']) => printed)
