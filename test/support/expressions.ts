import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import typescript from 'typescript-5'

/** A regular expression of the source, and the file that has it. */
export type Expression = { file: string; source: string; flags: string }

const root = join(import.meta.dir, '../..')

/** The expressions in some files: those written out, and those that the modules build. Run this file with the globs to print them. */
export const expressionsIn = (globs: string[]): Expression[] => {
  const run = Bun.spawnSync([process.execPath, import.meta.path, ...globs], { cwd: root, stderr: 'inherit' })
  return JSON.parse(run.stdout.toString())
}

const written = (file: string): Expression[] => {
  const found: Expression[] = []
  const visit = (node: typescript.Node) => {
    const [, source, flags] =
      node.kind === typescript.SyntaxKind.RegularExpressionLiteral
        ? (/^\/(.*)\/(\w*)$/s.exec(node.getText()) ?? [])
        : []
    if (source !== undefined && flags !== undefined) found.push({ file, source, flags })
    typescript.forEachChild(node, visit)
  }
  visit(typescript.createSourceFile(file, readFileSync(file, 'utf8'), typescript.ScriptTarget.Latest, true))
  return found
}

/** What modules build while they load, but for those of packages. */
const built = async (files: string[]): Promise<Expression[]> => {
  const found: Expression[] = []
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (original, given: ConstructorParameters<RegExpConstructor>) => {
      const expression = new original(...given)
      const [, file] = /\/((?:src|node_modules)\/[^:]+)/.exec(new Error().stack ?? '') ?? []
      if (file?.startsWith('src/')) found.push({ file, source: expression.source, flags: expression.flags })
      return expression
    },
  })
  for (const file of files) await import(join(root, file))
  return found
}

if (import.meta.main) {
  const files = process.argv.slice(2).flatMap((glob) => [...new Glob(glob).scanSync({ cwd: root })])
  console.log(JSON.stringify([...files.flatMap(written), ...(await built(files))]))
  process.exit(0)
}
