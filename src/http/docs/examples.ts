/**
 * Replaces the ids in the document's paths with ids of records that the reader may see, so that the first request finds
 * something. Examples of filters would leave a list empty, so they go into the descriptions instead.
 */
export const examplesScript = `const listed = ['sets', 'cards', 'players', 'teams', 'brands', 'manufacturers', 'genres', 'years', 'attributes', 'player-teams', 'card-images']
const firstOf = async (path, headers) => {
  const answer = await fetch(path, { headers: { Accept: 'application/vnd.api+json', ...headers } })
  return answer.ok ? (await answer.json()).data?.[0]?.id : undefined
}
const findIds = async (key) => {
  const find = async (type) => {
    const path = 'v1/' + type + '?per_page=1'
    const id = await firstOf('pages/' + path).catch(() => {})
    return [type, id ?? (key ? await firstOf(path, { Authorization: 'Bearer ' + key }).catch(() => {}) : undefined)]
  }
  return Object.fromEntries(await Promise.all(listed.map(find)))
}
const told = (parameter) => {
  const { example, ...rest } = parameter
  if (parameter.in !== 'query' || parameter.required || example === undefined) return parameter
  const text = [example].flat().join(',')
  return { ...rest, description: [parameter.description, 'Example: \`' + text + '\`'].filter(Boolean).join(' ') }
}
const withIds = (spec, ids) => ({
  ...spec,
  paths: Object.fromEntries(Object.entries(spec.paths).map(([path, item]) => {
    const idOf = (name) => ids[path.split('/')[path.split('/').indexOf('{' + name + '}') - 1]]
    const fill = (parameter) =>
      parameter.in === 'path' && idOf(parameter.name) ? { ...parameter, example: idOf(parameter.name) } : told(parameter)
    return [path, Object.fromEntries(Object.entries(item).map(([method, one]) =>
      [method, Array.isArray(one?.parameters) ? { ...one, parameters: one.parameters.map(fill) } : one]))]
  })),
})
`
