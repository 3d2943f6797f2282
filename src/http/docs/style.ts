import { asVariables, palette } from '../../lib/palette.ts'

/** The page in the design of the other pages: their colors, type and buttons, around and inside Swagger UI. */
export const pageStyle = `:root {
  ${asVariables(palette.light)}
  color-scheme: light dark; background: var(--paper); color: var(--ink);
  font: 16px / 1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
:root.dark-mode { ${asVariables(palette.dark)} }
body, html.dark-mode, html.dark-mode body { margin: 0; background: var(--paper); color: var(--ink) }
.top { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; padding: 0.6rem 1rem; min-height: 3.5rem; box-sizing: border-box; background: var(--raised); border-bottom: 1px solid var(--line) }
.top nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; margin-left: auto }
.top a { color: var(--ink); text-decoration: none; padding: 0.3rem 0; border-bottom: 2px solid transparent }
.top nav a:hover { border-color: var(--line) }
.top nav a[aria-current] { border-color: var(--accent) }
.top .brand { font-weight: 700; font-size: 1.1rem }
.page { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
#api { min-height: 100vh }
.page h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 }
.page > section > p { max-width: 46rem; color: var(--faint) }
.page > section > p a, footer a { color: var(--accent) }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%) }
footer, noscript { display: block; padding: 1.25rem 1rem; border-top: 1px solid var(--line); font-size: 0.9rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px }
html:root:root .swagger-ui, html:root:root .swagger-ui :is(.info, .info .title, .opblock-tag, .opblock-tag small, .opblock-summary-description, .opblock-description-wrapper p, .opblock-external-docs-wrapper, .btn, .tab li, .parameter__name, .parameter__type, .response-col_status, .response-col_links, .response-col_description, .model, .model-title, table thead tr :is(td, th), label, select, input, textarea, .markdown p, .renderedMarkdown p, .errors h4, .dialog-ux .modal-ux-header h3, .dialog-ux .modal-ux-content :is(p, h4), .scope-def, section.models h4, .opblock-section-header h4, .opblock-title_normal, .responses-inner :is(h4, h5)) { font-family: inherit; color: var(--ink) }
html:root:root .swagger-ui { background: none }
html:root:root .swagger-ui .wrapper { padding: 0 }
html:root:root .swagger-ui .info { margin: 1rem 0 }
html:root:root .swagger-ui .info .title { display: none }
html:root:root .swagger-ui .info :is(a, .link) { font: inherit }
.info__license::before { content: 'License: ' }
html:root:root .swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0.5rem 0; margin: 0 }
html:root:root .swagger-ui .filter .operation-filter-input { width: 100%; max-width: 34rem; margin: 0.5rem 0 1rem; padding: 0.55rem 0.75rem; border: 1px solid var(--faint); border-radius: 8px; background: var(--raised); color: var(--ink) }
html:root:root .swagger-ui .opblock-tag { font-size: 1.25rem; border-color: var(--line) }
html:root:root .swagger-ui .opblock-tag small, html:root:root .swagger-ui :is(.opblock-summary-description, .parameter__type, .parameter__in, .parameter__deprecated) { color: var(--faint) }
html:root:root .swagger-ui .opblock.opblock { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; box-shadow: none; margin: 0 0 0.5rem }
html:root:root .swagger-ui .opblock.opblock .opblock-summary { border-color: var(--line) }
html:root:root .swagger-ui .opblock.opblock .opblock-section-header { background: var(--sunken); box-shadow: none }
html:root:root .swagger-ui .opblock .opblock-summary-path, html:root:root .swagger-ui .opblock .opblock-summary-path__deprecated { color: var(--ink); font-weight: 500 }
html:root:root .swagger-ui :is(select, input[type=text], input[type=password], textarea) { background: var(--paper); color: var(--ink); border: 1px solid var(--faint); border-radius: 8px; box-shadow: none }
html:root:root .swagger-ui .btn { border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: var(--ink); box-shadow: none }
html:root:root .swagger-ui .btn.execute.execute { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
html:root:root .swagger-ui .btn.btn.cancel { border-color: var(--bad); color: var(--bad) }
html:root:root .swagger-ui .btn.authorize.authorize { border-color: var(--good); color: var(--good) }
html:root:root .swagger-ui .btn.authorize svg { fill: var(--good) }
html:root:root .swagger-ui :is(a, .info a, .link, .info .url) { color: var(--accent) }
html:root:root .swagger-ui :is(section.models, section.models .model-container, .model-box) { background: none; border-color: var(--line) }
html:root:root .swagger-ui :is(.markdown code, .renderedMarkdown code) { background: var(--sunken); color: var(--ink) }
html:root:root .swagger-ui .dialog-ux .modal-ux { background: var(--raised); border: 1px solid var(--line) }
html:root:root .swagger-ui :is(.model-toggle::after, .expand-operation svg, .opblock-control-arrow svg, .close-modal svg, .models-control svg, .opblock-summary-control svg) { filter: none; fill: var(--ink) }
`
