/**
 * Adds what Swagger UI lacks for keyboards and screen readers, whenever it draws something: names for its fields, keyboard
 * access to scrolling areas, landmarks, and no links inside buttons. A parameter's field gets the parameter's name. A field
 * without one is a request body.
 */
export const mendingScript = `const found = 'Find operations: cards of a set, api key, GET /v1/cards'
const places = [
  ['main', '', 'Operations'],
  ['.information-container', 'region', 'About this API'],
  ['.scheme-container', 'region', 'Server and credentials'],
  ['.filter', 'search', 'Operations'],
]
const nameOf = (field) =>
  field.closest('tr')?.dataset.paramName ??
  (field.id === 'servers' ? 'Server' : field.matches('.examples-select-element') ? 'Example' : field.placeholder || 'Request body')
const mend = () => {
  const filter = document.querySelector('.operation-filter-input')
  if (filter && filter.placeholder !== found) {
    filter.placeholder = found
    filter.setAttribute('aria-label', found)
  }
  for (const none of document.querySelectorAll('#api .swagger-ui h3'))
    if (none.textContent.startsWith('No operations')) none.textContent = 'No matching operation. Try a noun such as cards, images or usage.'
  for (const [place, role, name] of places)
    for (const part of document.querySelectorAll('#api ' + place + ':not([aria-label])')) {
      if (role) part.setAttribute('role', role)
      part.setAttribute('aria-label', name)
    }
  for (const field of document.querySelectorAll('#api :is(select, textarea, input:not([type=checkbox])):not([aria-label])'))
    if (![...field.labels].some((label) => !label.contains(field))) field.setAttribute('aria-label', nameOf(field))
  for (const text of document.querySelectorAll('#api .microlight:not([tabindex])')) text.tabIndex = 0
  for (const link of document.querySelectorAll('#api .opblock-summary-control a[href]')) link.removeAttribute('href')
}
let isMending = false
new MutationObserver(() => {
  if (isMending) return
  isMending = true
  requestAnimationFrame(() => {
    isMending = false
    mend()
  })
}).observe(document.getElementById('api'), { childList: true, subtree: true })
`

/** Stronger colors where Swagger UI's own are too weak, and a layout for narrow screens. */
export const mendingStyle = `html .swagger-ui .opblock.opblock .opblock-summary-method { background: #1f62b0 !important; color: #fff !important; text-shadow: none }
html .swagger-ui .opblock.opblock.opblock-post .opblock-summary-method { background: #17703f !important }
html .swagger-ui .opblock.opblock.opblock-patch .opblock-summary-method { background: #0f6b64 !important }
html .swagger-ui .opblock.opblock.opblock-delete .opblock-summary-method { background: #b3261e !important }
html .swagger-ui .opblock.opblock-deprecated { opacity: 1 }
html .swagger-ui :is(.btn, .link, .info a) { transition: none }
html .swagger-ui .download-contents { background: #4a5060 }
html .swagger-ui .microlight span[style*="211, 99, 99"] { color: #f2a5a5 !important }
html.dark-mode .swagger-ui .header-col { color: #e4e6e6 }
@media (max-width: 40rem) {
  .swagger-ui .opblock-body, .swagger-ui .responses-inner, .swagger-ui .parameters-container { overflow-x: auto }
}
`
