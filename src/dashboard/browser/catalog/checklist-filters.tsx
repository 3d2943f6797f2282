/** @jsxImportSource preact */
import type { Choices, Narrowed } from './content.ts'
import { Choice, Narrow } from './narrow.tsx'

type FilterProps = { id: string; narrowed: Narrowed; choices: Choices; hasParallels: boolean }

/** A checklist's filters and its order. */
export const ChecklistFilters = ({ id, narrowed, choices: { codes, teams }, hasParallels }: FilterProps) => (
  <Narrow action={`/sets/${id}`}>
    <div class="field">
      <label for="narrow-player">Player</label>
      <input id="narrow-player" name="player" type="search" defaultValue={narrowed.player} maxLength={255} />
    </div>
    {teams.length > 0 && <Choice name="team" label="Team" value={narrowed.team} none="All teams" options={teams} />}
    {codes.length > 0 && (
      <Choice
        name="code"
        label="Code"
        value={narrowed.code}
        none="All codes"
        options={codes.map(({ code, name }) => ({ id: code, name: name === code ? code : `${code} (${name})` }))}
      />
    )}
    <Choice
      name="image"
      label="Image"
      value={narrowed.image}
      none="All cards"
      options={[{ id: 'yes', name: 'With an image' }]}
    />
    {hasParallels && (
      <Choice
        name="parallels"
        label="Parallels"
        value={narrowed.parallels}
        none="Shown"
        options={[{ id: 'no', name: 'Hidden' }]}
      />
    )}
    <Choice
      name="sort"
      label="Sort by"
      value={narrowed.sort}
      none="Number"
      options={[{ id: 'player', name: 'Player' }]}
    />
  </Narrow>
)
