/** @jsxImportSource preact */
import type { Choices, Narrowed, Ref } from './content.ts'
import { Choice, Narrow } from './narrow.tsx'

type FilterProps = { id: string; narrowed: Narrowed; choices: Choices; hasParallels: boolean }

/** A checklist's filters and its order. */
export const ChecklistFilters = ({ id, narrowed, choices: { codes, teams }, hasParallels }: FilterProps) => {
  const choice = (name: keyof Narrowed, label: string, none: string, options: Ref[]) =>
    options.length > 0 && <Choice {...{ name, label, none, options, value: narrowed[name] }} />
  const coded = codes.map(({ code, name }) => ({ id: code, name: name === code ? code : `${code} (${name})` }))
  return (
    <Narrow action={`/sets/${id}`}>
      <div class="field">
        <label for="narrow-player">Player</label>
        <input id="narrow-player" name="player" type="search" defaultValue={narrowed.player} maxLength={255} />
      </div>
      {choice('team', 'Team', 'All teams', teams)}
      {choice('code', 'Code', 'All codes', coded)}
      {choice('image', 'Image', 'All cards', [{ id: 'yes', name: 'With an image' }])}
      {hasParallels && choice('parallels', 'Parallels', 'Shown', [{ id: 'no', name: 'Hidden' }])}
      {choice('sort', 'Sort by', 'Number', [{ id: 'player', name: 'Player' }])}
    </Narrow>
  )
}
