/*
 * `browser/paths.ts` names every page and the part it belongs to. The service answers these paths with the shell (with
 * status 404 if there is nothing), and the router in the browser finds the component in the part's `views`. Pages call
 * the API with `kit/api.ts`, load with `kit/load.ts` and act with `kit/use-action.ts`. They're built from `kit/`:
 * forms that show a refusal next to its field, tables that fold on a narrow screen, charts, dialogs. The shell says
 * who is signed in. Decision 10 (docs/decisions/0010-pages.md) explains why.
 */

import type { Head } from './browser/catalog/content.ts'
import { type Given, givenId } from './browser/kit/server-data.ts'
import { type PagePath, type Part, pagePaths } from './browser/paths.ts'
import { type Settings, settingsName } from './browser/settings.ts'
import type { Files } from './bundle.ts'
import { nameOf } from './files.ts'
import { descriptions, titles } from './titles.ts'

/** A page's HTML as the service drew it, and what it was drawn from. */
type Drawn = { html: string; given?: Given }

/**
 * The HTML that every page's path answers with. The scripts bring what was drawn to life, or fill the page if nothing was. There
 * are no inline scripts or styles. Without a path, no part's script is preloaded.
 */
export const shellOf = (files: Files, settings: Settings, path: PagePath | undefined, drawn?: Drawn) => {
  const asset = (name: string) => escaped(`${settings.base}/assets/${name}`)
  const part: Part | undefined = path && pagePaths[path]
  const script = nameOf(files, 'main', 'js')
  const own = part ? [nameOf(files, part, 'js')] : []
  const preloads = [...new Set([...own, ...sharedBy(files, [script, ...own])])]
  // A drawn page needs no scripts to be read, so on a slow connection the styles go first.
  const later = drawn ? ' fetchpriority="low"' : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="${settingsName}" content="${escaped(JSON.stringify(settings))}">
${headOf(settings, path, drawn)}
<link rel="icon" href="${escaped(settings.icon)}">
<link rel="stylesheet" href="${asset(nameOf(files, 'main', 'css'))}">${preloads.map((name) => `\n<link rel="modulepreload" href="${asset(name)}"${later}>`).join('')}
<script type="module" src="${asset(script)}"${later}></script>
</head>
<body>
<div id="page">${drawn?.html ?? ''}</div>${drawn?.given ? `\n<script type="application/json" id="${givenId}">${inScript(drawn.given)}</script>` : ''}${drawn ? '' : needsScript(settings)}
</body>
</html>
`
}

const needsScript = ({ base }: Settings) => `
<noscript><p>This page needs JavaScript. The API doesn’t: see <a href="${escaped(base)}/openapi.json">openapi.json</a>.</p></noscript>`

/** The files that these import, so that a browser can request all of them at once. */
const sharedBy = (files: Files, names: string[]): string[] =>
  names.flatMap((name) =>
    [...(files[name] ?? '').matchAll(/(?:from|import)["']\.\/(shared-\w+\.js)["']/g)].map(([, one = '']) => one),
  )

const headOf = (settings: Settings, path: PagePath | undefined, drawn: Drawn | undefined) => {
  const head = drawn?.given?.content?.head
  if (head) return [titleOf(settings, head.title), ...tagsOf(settings, head)].join('\n')
  const { failure } = drawn?.given ?? {}
  const own = path ? (failure?.status === 404 ? 'Not found' : titles[path]) : 'Page not found'
  const description = path && descriptions[path]
  if (own && description)
    return [titleOf(settings, own), ...tagsOf(settings, { title: own, description, path })].join('\n')
  return `${titleOf(settings, own)}\n<meta name="robots" content="noindex">`
}

const titleOf = ({ title }: Settings, own: string | undefined) =>
  `<title>${escaped(own ? `${own} · ${title}` : title)}</title>`

const tagsOf = (settings: Settings, { title, description, path, image, isUnlisted }: Head) => {
  const address = `${settings.origin}${settings.base}${path}`
  const properties = {
    'og:type': 'website',
    'og:site_name': settings.title,
    'og:title': title,
    'og:description': description,
    'og:url': address,
    ...(image ? { 'og:image': image } : {}),
  }
  return [
    `<meta name="description" content="${escaped(description)}">`,
    `<link rel="canonical" href="${escaped(address)}">`,
    ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${escaped(value)}">`),
    ...(isUnlisted ? ['<meta name="robots" content="noindex, follow">'] : []),
  ]
}

/** JSON as the text of a script element, escaped so that nothing in it closes the element. */
const inScript = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c')

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
