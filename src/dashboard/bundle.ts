import { join } from 'node:path'
import { pagePaths } from './browser/paths.ts'

/** The pages' files by name. Each name contains a hash of the content, so a file never changes. */
export type Files = Record<string, string>

/** The folder with the pages' source. */
export const browserFolder = join(import.meta.dir, 'browser')

const entries = ['main', ...new Set(Object.values(pagePaths))]

/** The modules that the pages are bundled from. */
export const pageEntries = () => entries.map((name) => join(browserFolder, `${name}.tsx`))

/** Bundles the pages for the browser: the main script, one script per part, shared chunks, styles and the icon. */
export const bundlePages = async (): Promise<Files> => {
  const { outputs } = await Bun.build({
    entrypoints: pageEntries(),
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    // The shell names what a page needs: a list of what all others need would be in its script.
    modulePreload: false,
    naming: { entry: '[name]-[hash].[ext]', chunk: 'shared-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  })
  const named = outputs.map(async (file) => [file.path.split('/').at(-1) ?? '', await file.text()] as const)
  return Object.fromEntries(await Promise.all(named))
}
