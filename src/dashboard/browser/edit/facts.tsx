import type { ComponentChildren, FunctionComponent } from 'preact'
import { useContext } from 'preact/hooks'
import type { CardContent, SetContent } from '../catalog/content.ts'
import { DraftMark } from '../catalog/set-list.tsx'
import { Shown } from '../catalog/shown.ts'
import { Fact } from '../kit/fact.tsx'
import { sayNumber } from '../kit/format.ts'
import { Failure } from '../kit/notice.tsx'
import { choice, day, type Field, line, names, reference, text } from './fields.tsx'
import { Inline } from './inline.tsx'
import { codes, people } from './naming/on-card.tsx'
import { type EditedType, useEdited } from './record.ts'

/** A record's facts, each of them editable. Until the record is read, they are shown as on the page. */
export const Facts = ({ children }: { children?: ComponentChildren }) => {
  const record = useEdited()
  const failure = record.failure()
  return (
    <>
      {record.known() ? (
        <dl class="facts">
          {partsOf[record.type].map((Part, place) => (
            <Part key={place} />
          ))}
        </dl>
      ) : (
        children
      )}
      {failure && <Failure failure={failure} retry={record.read} />}
    </>
  )
}

/** An editable field as a part of the list. */
const edited = <V,>(field: Field<V>) =>
  function EditedField() {
    return <Inline field={field} />
  }

const CardStatus = () => {
  const { card } = useContext(Shown).value as CardContent
  return <Fact name="Status">{card.isDraft && <DraftMark />}</Fact>
}

const CardValues = () => {
  const { values } = useContext(Shown).value as CardContent
  return values.map(({ name, value }) => (
    <Fact key={name} name={name}>
      {value}
    </Fact>
  ))
}

const SetStatus = () => {
  const { set } = useContext(Shown).value as SetContent
  return <Fact name="Status">{set.isDraft ? <DraftMark /> : 'published'}</Fact>
}

const SetCards = () => {
  const { cards } = useContext(Shown).value as SetContent
  return <Fact name="Cards">{sayNumber(cards.total)}</Fact>
}

const kinds = {
  base: 'Base set',
  insert: 'Insert',
  autograph: 'Autographs',
  variation: 'Variation',
  parallel: 'Parallel',
}
const name = line('name', 'Name', { isRequired: true })
const aliases = names('aliases', 'Also called')

/** What is listed of each type, in this order. */
const partsOf: Record<EditedType, FunctionComponent[]> = {
  cards: [
    CardStatus,
    edited(line('number', 'Number')),
    edited(people),
    edited(line('title', 'Title')),
    edited(codes),
    edited(line('serial_number', 'Serial number')),
    edited(text('notes', 'Notes')),
    edited(reference('set', 'Set', 'sets')),
    CardValues,
  ],
  sets: [
    SetStatus,
    edited(name),
    edited(text('description', 'Description')),
    edited(choice('kind', 'Kind', kinds)),
    edited(reference('parent', 'Part of', 'sets')),
    edited(reference('genre', 'Genre', 'genres')),
    edited(reference('year', 'Year', 'years')),
    edited(reference('brand', 'Brand', 'brands')),
    edited(reference('manufacturer', 'Manufacturer', 'manufacturers')),
    edited(day('release_date', 'Released')),
    edited(aliases),
    SetCards,
  ],
  players: [
    edited(line('first_name', 'First name', { isRequired: true })),
    edited(line('last_name', 'Last name', { isRequired: true })),
    edited(line('disambiguation', 'Disambiguation')),
    edited(line('position', 'Position')),
    edited(day('born_on', 'Born')),
    edited(aliases),
  ],
  teams: [
    edited(name),
    edited(line('location', 'Place')),
    edited(line('abbreviation', 'Abbreviation')),
    edited(aliases),
  ],
}
