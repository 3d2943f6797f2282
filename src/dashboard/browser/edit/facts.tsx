import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { CardContent, SetContent } from '../catalog/content.ts'
import { DraftMark } from '../catalog/set-list.tsx'
import { Shown } from '../catalog/shown.ts'
import { Fact } from '../kit/fact.tsx'
import { sayNumber } from '../kit/format.ts'
import { Failure } from '../kit/notice.tsx'
import { choice, day, line, names, reference, text } from './fields.tsx'
import { Inline } from './inline.tsx'
import { codes, people } from './naming/on-card.tsx'
import { type EditedType, useEdited } from './record.ts'

/** A record's facts, each of them editable. Until the record is read, they are shown as on the page. */
export const Facts = ({ children }: { children?: ComponentChildren }) => {
  const edited = useEdited()
  const Fields = fieldsOf[edited.type]
  const failure = edited.failure()
  return (
    <>
      {edited.known() ? (
        <dl class="facts">
          <Fields />
        </dl>
      ) : (
        children
      )}
      {failure && <Failure failure={failure} retry={edited.read} />}
    </>
  )
}

const number = line('number', 'Number')
const title = line('title', 'Title')
const serial = line('serial_number', 'Serial number')
const notes = text('notes', 'Notes')
const setOf = reference('set', 'Set', 'sets')

const CardFields = () => {
  const { card, values } = useContext(Shown).value as CardContent
  return (
    <>
      <Fact name="Status">{card.isDraft && <DraftMark />}</Fact>
      <Inline field={number} />
      <Inline field={people} />
      <Inline field={title} />
      <Inline field={codes} />
      <Inline field={serial} />
      <Inline field={notes} />
      <Inline field={setOf} />
      {values.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </>
  )
}

const name = line('name', 'Name', { isRequired: true })
const description = text('description', 'Description')
const kind = choice('kind', 'Kind', {
  ...{ base: 'Base set', insert: 'Insert', autograph: 'Autographs', variation: 'Variation', parallel: 'Parallel' },
})
const released = day('release_date', 'Released')
const genre = reference('genre', 'Genre', 'genres')
const year = reference('year', 'Year', 'years')
const brand = reference('brand', 'Brand', 'brands')
const manufacturer = reference('manufacturer', 'Manufacturer', 'manufacturers')
const parent = reference('parent', 'Part of', 'sets')
const aliases = names('aliases', 'Also called')

const SetFields = () => {
  const { set, cards } = useContext(Shown).value as SetContent
  return (
    <>
      <Fact name="Status">{set.isDraft ? <DraftMark /> : 'published'}</Fact>
      <Inline field={name} />
      <Inline field={description} />
      <Inline field={kind} />
      <Inline field={parent} />
      <Inline field={genre} />
      <Inline field={year} />
      <Inline field={brand} />
      <Inline field={manufacturer} />
      <Inline field={released} />
      <Inline field={aliases} />
      <Fact name="Cards">{sayNumber(cards.total)}</Fact>
    </>
  )
}

const firstName = line('first_name', 'First name', { isRequired: true })
const lastName = line('last_name', 'Last name', { isRequired: true })
const disambiguation = line('disambiguation', 'Disambiguation')
const position = line('position', 'Position')
const born = day('born_on', 'Born')

const PlayerFields = () => (
  <>
    <Inline field={firstName} />
    <Inline field={lastName} />
    <Inline field={disambiguation} />
    <Inline field={position} />
    <Inline field={born} />
    <Inline field={aliases} />
  </>
)

const location = line('location', 'Place')
const abbreviation = line('abbreviation', 'Abbreviation')

const TeamFields = () => (
  <>
    <Inline field={name} />
    <Inline field={location} />
    <Inline field={abbreviation} />
    <Inline field={aliases} />
  </>
)

const fieldsOf: Record<EditedType, () => ReturnType<typeof CardFields>> = {
  ...{ cards: CardFields, sets: SetFields, players: PlayerFields, teams: TeamFields },
}
