import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pageEntries } from '../../dashboard/bundle.ts'

/** The name of the notices inside the executable. */
export const noticesName = 'licenses.notices'

/** The notices of everything in the executable, as a text. When run from source, they are gathered now. */
export const readNotices = async (): Promise<string> => {
  const inside = Bun.embeddedFiles.find((file) => 'name' in file && file.name === noticesName)
  return inside ? inside.text() : gatherNotices()
}

/** The modules that the executable starts with. */
export const entries = ['src/start.ts', 'db/embedded/worker.ts']

const root = join(import.meta.dir, '../../..')

/** Reads the notices of this program, of what it runs on, and of each package of which a module is bundled. */
export const gatherNotices = async (): Promise<string> => {
  const packages = await Promise.all((await bundledPackages()).map(readPackage))
  const textOf = (path: string) => Bun.file(path).text()
  const notices = [
    { title: 'Cardstock', text: await textOf(join(root, 'LICENSE')) },
    { title: `Bun ${Bun.version}`, text: await textOf(join(import.meta.dir, 'bun.txt')) },
    {
      title: 'PostgreSQL, as part of @electric-sql/pglite',
      text: await textOf(join(import.meta.dir, 'postgresql.txt')),
    },
    ...packages,
  ]
  return notices.map(({ title, text }) => `${title}\n${'-'.repeat(title.length)}\n\n${text.trim()}\n`).join('\n\n')
}

/** The folders of the packages that the program and its pages are bundled from. */
const bundledPackages = async (): Promise<string[]> => {
  const server = { entrypoints: entries.map((name) => join(root, name)), target: 'bun', splitting: true } as const
  const pages = { entrypoints: pageEntries(), target: 'browser', splitting: true } as const
  const built = await Promise.all([server, pages].map((each) => Bun.build({ ...each, metafile: true })))
  const folders = built.flatMap(({ metafile }) =>
    Object.keys(metafile?.inputs ?? {}).flatMap((path) => inPackage.exec(path)?.[1] ?? []),
  )
  return [...new Set(folders)].toSorted()
}

const inPackage = /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//

type Manifest = { name: string; version: string; license?: string; homepage?: string }

const readPackage = async (path: string) => {
  const folder = join(root, path)
  const { name, version, license, homepage }: Manifest = await Bun.file(join(folder, 'package.json')).json()
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => noticeName.test(file))
        .toSorted()
    : []
  const texts = await Promise.all(files.map((file) => Bun.file(join(folder, file)).text()))
  const said = [`License: ${license ?? 'see below'}`, ...(homepage ? [homepage] : [])].join('\n')
  return { title: `${name} ${version}`, text: [said, ...texts.map((text) => text.trim())].join('\n\n') }
}

const noticeName = /^(?:un)?licen[cs]e|^notice|^copying|\.licen[cs]e\.txt$/i
