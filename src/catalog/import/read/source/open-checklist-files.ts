import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Which file of an open checklist a path is, and the folder of the three. A checklist's `id` is its name. */
export type OpenChecklistFile = { folder: string } & ({ part: 'set' | 'manifest' } | { part: 'checklist'; id: string })

const named = /^(?:(.*?)\/)?(?:(set|manifest)|checklists\/([^/]+))\.ya?ml(?:\.gz|\.xz)?$/i

/** The place of a path among the files of an open checklist; undefined if it's none of them by its name. */
export const openChecklistFile = (path: string): OpenChecklistFile | undefined => {
  const [found, folder = '', part, id] = named.exec(path.replaceAll('\\', '/')) ?? []
  if (found === undefined) return undefined
  return id === undefined
    ? { folder, part: part?.toLowerCase() as 'set' | 'manifest' }
    : { folder, part: 'checklist', id }
}

/** The folder of an open checklist on disk, and its files' names in it, if a path is one of them. */
export const openChecklistAround = async (path: string): Promise<{ folder: string; names: string[] } | undefined> => {
  const file = openChecklistFile(path)
  if (!file) return undefined
  const folder = file.part === 'checklist' ? dirname(dirname(path)) : dirname(path)
  const list = async (under: string) =>
    (await readdir(join(folder, under)).catch(() => [])).toSorted().map((name) => join(under, name))
  const names = [...(await list('')), ...(await list('checklists'))].filter((name) => openChecklistFile(name))
  return names.length > 1 ? { folder, names } : undefined
}

/** The path of a file beside a checklist on disk, if it exists. */
export const besideChecklist = async (folder: string, part: 'set' | 'manifest'): Promise<string | undefined> => {
  for (const name of [`${part}.yaml`, `${part}.yml`]) {
    const path = join(folder, name)
    if ((await stat(path).catch(() => null))?.isFile()) return path
  }
  return undefined
}
