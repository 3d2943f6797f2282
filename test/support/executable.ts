import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUse, takeFolder } from '../../db/embedded/lock.ts'

const root = join(import.meta.dir, '../..')
const dist = join(root, 'dist')

/** The path of `dist/cardstock`, which is built if any of its sources is newer. Test processes build it only once. */
export const builtExecutable = async (): Promise<string> => {
  const letGo = await takenFolder()
  try {
    return build()
  } finally {
    letGo()
  }
}

const takenFolder = async (): Promise<() => void> => {
  mkdirSync(dist, { recursive: true })
  for (;;)
    try {
      return takeFolder(dist)
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      await Bun.sleep(100)
    }
}

const build = () => {
  const built = join(dist, 'cardstock')
  const since = existsSync(built) ? statSync(built).mtimeMs : 0
  if (['src', 'db', 'scripts', 'package.json', 'bun.lock'].every((name) => newestIn(join(root, name)) < since))
    return built
  const { success, stderr } = Bun.spawnSync([process.execPath, 'scripts/build.ts'], {
    ...{ cwd: root, stdout: 'ignore', stderr: 'pipe' },
  })
  if (!success) throw new Error(stderr.toString())
  return built
}

const newestIn = (path: string): number => {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestIn(join(path, name))), mtimeMs)
}
