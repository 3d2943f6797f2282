import { useState } from 'preact/hooks'
import { useAnswer } from '../../kit/answer.ts'
import { get, patch, post } from '../../kit/api.ts'
import type { One, Resource } from '../../kit/documents.ts'
import { Choice, Field, Form } from '../../kit/form.tsx'
import { sayCount, sayGiven, sayNumber } from '../../kit/format.ts'
import type { Loaded } from '../../kit/load.ts'
import { Notice, Show } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { queryOf } from '../address.ts'
import { Filters } from '../filters.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { ChosenCards, type SplitPreview, type Value } from './chosen-cards.tsx'
import { merge } from './merging.tsx'

const none: ReadonlySet<string> = new Set()
const nothing = { genre_id: '', year_from: '', year_to: '', team_id: '', set_ids: '' }

/** Splits a player into two: choose the new player's cards, and say what tells them apart. */
export const Split = ({ id }: { id: string }) => {
  const [chosen, setChosen] = useState(nothing)
  const [ticked, setTicked] = useState<ReadonlySet<string> | undefined>(none)
  const read = useAnswer<SplitPreview>(`/internal/splits/preview?${queryOf({ player_id: id, ...chosen })}`)
  const [made, setMade] = useState<{ id: string; moved: number }>()
  const choose = (more: Partial<typeof nothing>) => {
    const now = { ...chosen, ...more }
    setTicked(Object.values(now).some(Boolean) ? undefined : none)
    setChosen(now)
  }
  const title = read.value ? `Split ${read.value.player.name}` : 'Split a player'
  if (made) return <Made title={title} old={{ id, name: read.value?.player.name ?? 'the player' }} {...made} />
  return (
    <OperatorPage title={title} actions={<a href={at(`/players/${id}`)}>Go to the player</a>}>
      <Show of={read} lines={16}>
        {(preview) => (
          <>
            <Section title="Which cards belong to somebody else?">
              <Choices {...preview} {...{ chosen, choose }} />
            </Section>
            <Section title={sayMoves(preview, ticked)}>
              <ChosenCards cards={preview.cards} of={preview.moves} ticked={ticked} onTick={setTicked} />
            </Section>
            <NewPlayer {...{ preview, read, chosen, ticked }} done={setMade} />
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

/** How many cards would move: those checked, or all that match the choice. */
const countOf = ({ moves }: SplitPreview, ticked?: ReadonlySet<string>) => ticked?.size ?? moves

const sayMoves = (preview: SplitPreview, ticked?: ReadonlySet<string>) =>
  `${sayNumber(countOf(preview, ticked))} of ${sayCount(preview.player.cards_count, 'card')} would move`

type ChoicesProps = SplitPreview & { chosen: typeof nothing; choose: (more: Partial<typeof nothing>) => void }

const Choices = ({ choices: { genres, years, sets, teams }, chosen, choose }: ChoicesProps) => {
  const optionsOf = (values: Value[]) =>
    values.map(({ id, name, cards }) => ({ value: id, label: `${name} (${sayNumber(cards)})` }))
  const yearOptions = [...new Set(years.flatMap(({ name }) => /^\d{4}/.exec(name)?.[0] ?? []))]
    .toSorted()
    .map((year) => ({ value: year, label: year }))
  const choices = {
    genre_id: { label: 'Genre', none: 'All genres', options: optionsOf(genres) },
    year_from: { label: 'From year', none: 'First', options: yearOptions },
    year_to: { label: 'To year', none: 'Last', options: yearOptions },
    set_ids: { label: 'Set', none: 'All sets', options: optionsOf(sets) },
    team_id: { label: 'Team', none: 'Any or none', options: optionsOf(teams) },
  }
  const real = Object.entries(choices).filter(([, { options }]) => options.length > 1)
  return <Filters filters={chosen} change={choose} choices={Object.fromEntries(real)} />
}

type NewPlayerProps = {
  preview: SplitPreview
  read: Loaded<SplitPreview>
  chosen: typeof nothing
  ticked?: ReadonlySet<string>
  done: (made: { id: string; moved: number }) => void
}

const NewPlayer = ({ preview, read, chosen, ticked, done }: NewPlayerProps) => {
  const [isNamed, setNamed] = useState(false)
  const { player } = preview
  const count = countOf(preview, ticked)
  const isAll = count === player.cards_count
  const submit = async (values: Record<string, string>) => {
    if (read.isLoading) return
    const attributes = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
    const body = { player_id: player.id, attributes, cards: ticked ? [...ticked] : asChosen(chosen) }
    const { data, meta } = await post<One<Resource> & { meta: { moved: number } }>('/internal/splits', body, {
      flat: true,
    })
    done({ id: data.id, moved: meta.moved })
  }
  if (count === 0) return <p>Choose the new player’s cards.</p>
  return (
    <Section title="New player">
      {isAll && (
        <Notice kind="warning">All cards would move, leaving {sayGiven(player.name)} with none. Choose fewer.</Notice>
      )}
      <Form label={`Split off ${sayCount(count, 'card')}`} onSubmit={submit}>
        <Field
          name="disambiguation"
          label="What sets the new player apart"
          hint={`Such as “born 1963” or “pitcher”. It is shown next to the name if other players have the same one.${player.disambiguation ? ` The old player’s is “${player.disambiguation}”.` : ''}`}
          maxLength={255}
        />
        <Choice label={`The new player’s name isn’t ${player.name}`} checked={isNamed} onChange={setNamed} />
        {isNamed && (
          <>
            <Field name="first_name" label="First name" maxLength={255} />
            <Field name="last_name" label="Last name" maxLength={255} required />
          </>
        )}
      </Form>
    </Section>
  )
}

/** The choice as the API expects it. */
const asChosen = ({ genre_id, year_from, year_to, team_id, set_ids }: typeof nothing) => ({
  ...(genre_id && { genre_id }),
  ...(team_id && { team_id }),
  ...(set_ids && { set_ids: set_ids.split(',') }),
  ...(year_from && { year_from: Number(year_from) }),
  ...(year_to && { year_to: Number(year_to) }),
})

type MadeProps = { title: string; old: { id: string; name: string }; id: string; moved: number }

/** The result of a split, with a button to undo it. */
const Made = ({ title, old, id, moved }: MadeProps) => {
  const [isUndone, setUndone] = useState(false)
  const toOld = <a href={at(`/players/${old.id}`)}>Show {old.name}</a>
  return (
    <OperatorPage title={title}>
      {isUndone ? (
        <Notice kind="good">
          Undone: {sayGiven(old.name)} has all of the cards again. {toOld}
        </Notice>
      ) : (
        <>
          <Notice kind="good">
            {sayCount(moved, 'card')} moved. <a href={at(`/players/${id}`)}>Show the new player</a>
          </Notice>
          <Form
            label="Undo the split"
            onSubmit={() => undoSplit(old.id, id).then(() => setUndone(true))}
            beside={toOld}
          />
        </>
      )}
    </OperatorPage>
  )
}

/** Merges the two players again, and restores the old player's names. */
const undoSplit = async (old: string, id: string) => {
  const { data } = await get<One<Resource<{ aliases: string[] }>>>(`/v2/players/${old}`)
  await merge({ type: 'players', from: [id], into: old }, 'Undo of a split')
  const { aliases } = data.attributes
  await patch(`/v2/players/${old}`, { data: { type: 'players', id: old, attributes: { aliases } } })
}
