import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The mode of a file or folder, in octal. */
export const modeOf = (path: string) => (lstatSync(path).mode & 0o7777).toString(8)

/** Every folder and file in a tree, including the root. */
export const treeOf = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    join(parentPath, name),
  ),
]

/** The paths in a tree that others than its owner may read or enter. */
export const laxIn = (folder: string) =>
  treeOf(folder).filter((path) => modeOf(path) !== (lstatSync(path).isDirectory() ? '700' : '600'))
