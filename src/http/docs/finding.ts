/**
 * Ranks operations by what a developer types, such as `cards of a set`. A word counts most in an operation's summary and path,
 * less in its parameters, least in the rest of its text. `cards` ranks operations first whose path ends in it. Each word, or a
 * synonym, has to appear at the beginning of a word.
 */
export const rankingScript = `const same = Object.entries({
  add: 'create', new: 'create', make: 'create', edit: 'change', update: 'change', modify: 'change', remove: 'delete',
  destroy: 'delete', fetch: 'retrieve', show: 'retrieve', cost: 'price', pricing: 'price', buy: 'pay', purchase: 'pay', upgrade: 'pay',
  login: 'signin', logout: 'signout', register: 'signup', export: 'bulk', dump: 'bulk', csv: 'import bulk', picture: 'image', photo: 'image', scan: 'image',
  quota: 'limit', throttling: 'limit', throttle: 'limit', checklist: 'import', typeahead: 'autocomplete', suggest: 'autocomplete',
  suggestion: 'autocomplete', history: 'revision', version: 'revision', sport: 'genre', season: 'year', statistic: 'count', total: 'count',
  roster: 'player', subscription: 'plan', maker: 'manufacturer', rookie: 'attribute', invitation: 'invite', publish: 'publication change', unpublish: 'status', sync: 'follow',
  feed: 'changes', delta: 'changes', download: 'bulk', duplicate: 'duplicates', athlete: 'player', kanban: 'todo', task: 'todo', auth: 'token',
  authenticate: 'token', authentication: 'token', authorize: 'token', authorization: 'token', filter: 'list', batch: 'several',
})
const idle = new Set('a all an and any api by every for from get how i in into is it me my of on or one per some that the their this to via with your'.split(' '))
const joining = /\\s(?:of|by|for|from|in|into|on|with|to)\\s/
const stemOf = (word) => word.replace(/ies$/, 'y').replace(/([^su])s$/, '$1')
const wordsIn = (text) => text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z0-9]+/).filter(Boolean)
const readAsked = (typed) => {
  const plain = typed.toLowerCase().replace(/\\b(sign|log) (in|out|up)\\b/g, '$1$2').replace(/\\b(\\w+)['’]s? (\\w+)/g, '$2 of $1').replace(/\\bapi[ -]key/g, 'apikey')
  const asked = wordsIn(plain)
  const wanted = asked.filter((word) => !idle.has(word))
  const [thing = ''] = plain.trim().split(joining)
  return { words: (wanted.length > 0 ? wanted : asked).map(stemOf), thing: stemOf(wordsIn(thing).filter((word) => !idle.has(word)).at(-1) ?? '') }
}
// Two words side by side are one, too: apikey, signin.
const joined = (words) => [...words.slice(1).map((word, at) => words[at] + word), ...words].map(stemOf)
const read = new Map()
const readOperation = (one, group) => {
  const { method, path, operation } = one
  const key = method + path
  if (read.has(key)) return read.get(key)
  const segments = path.split('/').filter((part) => part && !part.startsWith('{'))
  const found = {
    end: method === 'get' && path.endsWith('}') ? [] : [wordsIn(segments.at(-1) ?? '')].flatMap((last) => [last.join(''), last.at(-1) ?? '']).map(stemOf),
    summary: joined(wordsIn(operation.summary ?? '')),
    places: joined([method, ...wordsIn(segments.join('/')), ...wordsIn(operation.operationId ?? ''), ...wordsIn(group)]),
    parameters: joined(wordsIn((operation.parameters ?? []).map((one) => one.name ?? one.$ref ?? '').join(' '))),
    more: joined(wordsIn(JSON.stringify([operation.description, operation.requestBody, operation.parameters]))),
    isOld: operation.deprecated || /old/.test(operation.summary) || segments.includes('relationships'),
  }
  read.set(key, found)
  return found
}
const pointsOf = (word, { summary, places, parameters, more }) => {
  const begins = (one) => one.startsWith(word)
  const points = [[summary, 6], [places, 5], [parameters, 4], [more, 1]].find(([text]) => text.some(begins))?.[1] ?? 0
  return points > 4 && (summary.includes(word) || places.includes(word)) ? points + 1 : points
}
const rank = (one, group, typed) => {
  const { words, thing } = readAsked(typed)
  const [, method, path] = /^(?:([a-z]+) +)?(\\/\\S*)$/.exec(typed.toLowerCase()) ?? []
  if (path) return one.path.startsWith(path) && (!method || method === one.method) ? 100 - one.path.length / 10 : 0
  const about = readOperation(one, group)
  const points = words.map((word) => {
    const others = same.flatMap(([name, means]) => (stemOf(name) === word ? means.split(' ') : []))
    return Math.max(pointsOf(word, about), ...others.map((other) => pointsOf(stemOf(other), about) - 1))
  })
  if (points.some((one) => one <= 0)) return 0
  const isAsked = about.end.includes(thing)
  const unasked = about.summary.filter((word) => !idle.has(word) && !words.includes(word)).length
  return points.reduce((sum, one) => sum + one, 0) + (isAsked ? 5 : 0) - unasked * 0.2 - (about.isOld ? 2 : 0)
}
`

/** Shows the operations that rank best, best first, and opens their groups. Swagger UI itself only filters groups. */
export const findingScript = `const opsFilter = (groups, typed) => {
  const ranked = groups.map((group, name) =>
    group.set('operations', group.get('operations').map((one) => one.set('rank', rank(one.toJS(), name, typed.trim())))))
  const bestOf = (group) => Math.max(0, ...group.get('operations').map((one) => one.get('rank')))
  const best = Math.max(0, ...ranked.map(bestOf).valueSeq())
  return ranked
    .map((group) => group.set('operations', group.get('operations').filter((one) => one.get('rank') > 0 && one.get('rank') >= best * 0.7).sortBy((one) => -one.get('rank'))))
    .filter((group) => group.get('operations').size > 0)
    .sortBy((group) => -bestOf(group))
}
const isShown = (usual, system) => (state, thing, ...rest) => {
  const typed = system.layoutSelectors.currentFilter()
  const isFound = typeof typed === 'string' && typed !== 'true' && typed.trim() !== ''
  return (isFound && thing[0] === 'operations-tag') || usual(thing, ...rest)
}
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select')) return
  event.preventDefault()
  document.querySelector('.operation-filter-input')?.focus()
})
`
