const description =
  'Every operation of this trading-card catalog: what it accepts, what it returns, and a request to try.'

/** The API page. Its URLs are relative, so that it also works under a proxy's path, except its canonical one. */
export const pageOf = (title: string, baseUrl: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API documentation · ${title}</title>
    <meta name="description" content="${description}">
    <link rel="canonical" href="${baseUrl}/docs">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${title}">
    <meta property="og:title" content="API documentation">
    <meta property="og:description" content="${description}">
    <meta property="og:url" content="${baseUrl}/docs">
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/assets/swagger-ui.css">
    <link rel="stylesheet" href="docs/assets/page.css">
    <script src="docs/assets/swagger-ui.js" defer></script>
    <script src="docs/assets/page.js" defer></script>
  </head>
  <body>
    <noscript><p>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</p></noscript>
    <header class="top">
      <a class="brand" href="./">${title}</a>
      <nav aria-label="Main">
        <a href="sets">Sets</a> <a href="getting-started">Getting started</a>
        <a href="docs" aria-current="page">API</a> <a href="account">Account</a>
      </nav>
    </header>
    <div class="page">
      <section aria-labelledby="title">
        <h1 id="title">API documentation</h1>
        <p>
          <strong>Try it out</strong> sends a real request: as you if you are <a href="signin?next=/docs">signed in</a>, or with
          the key that this browser tab was shown. You can also press Authorize and paste a key. The ids are those of records in this catalog.
        </p>
        <h2 class="unseen">Operations</h2>
      </section>
      <div id="api"><p role="status">Reading the operations…</p></div>
    </div>
    <footer>
      <a href="openapi.json">OpenAPI document</a> · shown by
      <a href="https://github.com/swagger-api/swagger-ui" rel="noreferrer">Swagger UI</a> (Apache License 2.0)
    </footer>
  </body>
</html>
`

/**
 * Starts the page in the browser, light or dark like the reader's system, without requests to other servers. It fills in the
 * key that was shown in this tab. The session cookie is sent anyway. `inlined` resolves references, which are all within the
 * document: Swagger UI's own resolver reads the whole document again for each operation you open, which takes seconds.
 */
export const pageScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
const at = (value, path) => path.reduce((inner, name) => inner?.[name], value)
const inlined = (spec, value, within = []) => {
  if (Array.isArray(value)) return value.map((one) => inlined(spec, one, within))
  if (value === null || typeof value !== 'object') return value
  const { $ref, ...rest } = value
  const isOpen = typeof $ref === 'string' && $ref.startsWith('#/') && !within.includes($ref)
  if (!isOpen) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inlined(spec, one, within)]))
  const named = at(spec, $ref.slice(2).split('/'))
  return { ...inlined(spec, named, [...within, $ref]), ...inlined(spec, rest, within), $$ref: $ref }
}
const resolveSubtree = async (spec, path) => ({ spec: inlined(spec, at(spec, path)) ?? null, errors: [] })
const start = async () => {
  const key = sessionStorage.getItem('cardstock-key')
  const [spec, ids] = await Promise.all([fetch('openapi.json').then((answer) => answer.json()), findIds(key)])
  const ui = SwaggerUIBundle({
    spec: withIds(spec, ids),
    dom_id: '#api',
    deepLinking: true,
    validatorUrl: null,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    plugins: [() => ({ fn: { resolveSubtree, opsFilter }, statePlugins: { layout: { wrapSelectors: { isShown } } } })],
    onComplete: () => {
      if (key) ui.preauthorizeApiKey('subscriberKey', key)
    },
  })
}
`
