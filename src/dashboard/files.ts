import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { browserFolder, bundlePages, type Files } from './bundle.ts'

/** The name of the bundled pages inside the executable. */
export const packName = 'cardstock.pages'

/** The bundled pages as one text, to embed in the executable. */
export const packPages = async () => JSON.stringify(await bundlePages())

let packed: Promise<Files> | undefined
let bundled: { newest: number; files: Promise<Files> } | undefined

/** The pages' files. The executable contains them. When run from source, they are bundled now, and again after a change. */
export const readFiles = async (): Promise<Files> => {
  const inside = Bun.embeddedFiles.find((file) => 'name' in file && file.name === packName)
  if (inside) {
    packed ??= inside.text().then((text) => JSON.parse(text) as Files)
    return packed
  }
  const newest = newestChange()
  if (bundled?.newest !== newest) bundled = { newest, files: bundlePages() }
  return bundled.files
}

const newestChange = () =>
  readdirSync(browserFolder, { recursive: true, encoding: 'utf8' }).reduce(
    (newest, name) => Math.max(newest, statSync(join(browserFolder, name)).mtimeMs),
    0,
  )

/** The name of an entry's bundled file, such as that of `main` and `js`. */
export const nameOf = (files: Files, entry: string, extension: string) =>
  Object.keys(files).find((name) => name.startsWith(`${entry}-`) && name.endsWith(`.${extension}`)) ?? ''
