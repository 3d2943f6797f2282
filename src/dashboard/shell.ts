import { type PagePath, type Part, pagePaths } from './browser/paths.ts'
import { type Settings, settingsName } from './browser/settings.ts'
import type { Files } from './bundle.ts'
import { nameOf } from './files.ts'

/**
 * The page that every path of the pages answers with: the scripts fill it. It holds no script and no style itself. Without
 * a path no part's script is asked for before it is needed.
 */
export const shellOf = (files: Files, settings: Settings, path?: PagePath) => {
  const asset = (entry: string, extension: string) =>
    escaped(`${settings.base}/assets/${nameOf(files, entry, extension)}`)
  const part: Part | undefined = path && pagePaths[path]
  const preload = part ? `\n<link rel="modulepreload" href="${asset(part, 'js')}">` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="${settingsName}" content="${escaped(JSON.stringify(settings))}">
<title>${escaped(settings.title)}</title>
<link rel="icon" href="${asset('icon', 'svg')}">
<link rel="stylesheet" href="${asset('main', 'css')}">${preload}
<script type="module" src="${asset('main', 'js')}"></script>
</head>
<body>
<div id="page"></div>
<noscript><p>These pages need JavaScript. The API does not: its document is at <a href="${escaped(settings.base)}/openapi.json">openapi.json</a>.</p></noscript>
</body>
</html>
`
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
