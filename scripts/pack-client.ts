import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const source = join(root, 'clients/typescript')

/** Compiles the TypeScript client in a temporary folder, and packs it as `npm pack` does. Returns the path of the package. */
export const packClient = async (destination: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-client-'))
  try {
    for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(source, name), join(folder, name))
    run(['node_modules/typescript/bin/tsc', '-p', source, '--outDir', join(folder, 'dist')], root)
    run(['pm', 'pack', '--quiet', '--destination', destination], folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const { version } = await Bun.file(join(source, 'package.json')).json()
  return join(destination, `cardstock-client-${version}.tgz`)
}

const run = (words: string[], cwd: string) => {
  const child = Bun.spawnSync([process.execPath, ...words], { cwd, stdout: 'pipe', stderr: 'pipe' })
  if (!child.success) throw new Error(`${words.join(' ')}\n${child.stdout}${child.stderr}`)
}
