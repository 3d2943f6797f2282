import type { InputAttributes } from '../../kit/labelled.tsx'
import { Combobox, type Offer } from './combobox.tsx'
import { findOptions, type Listed, nouns, type Picked } from './vocabulary.ts'

type PickProps = InputAttributes & {
  type: Listed
  name: string
  /** Where nothing else labels the input. */
  label?: string
  value: Picked
  onChange: (value: Picked) => void
}

/** Names a record by typing: those whose names go on from what is typed are offered, with a new one at their end. */
export const Pick = ({ type, value, onChange, ...input }: PickProps) => (
  <Combobox
    {...input}
    text={value.text}
    listLabel={`A ${nouns[type]}`}
    find={async (asked, signal) => offersOf(type, asked, signal)}
    onText={(text) => onChange({ text })}
    onTake={({ picked }) => onChange(picked ?? { text: value.text.trim(), isNew: true })}
  />
)

type Named = Offer & { picked?: Picked }

const offersOf = async (type: Listed, asked: string, signal: AbortSignal): Promise<Named[]> => {
  const options = await findOptions(type, asked, signal)
  const known = options.map(({ id, name, context }) => ({ key: id, text: name, context, picked: { text: name, id } }))
  return type === 'sets' ? known : [...known, { key: 'new', text: `New ${nouns[type]} “${asked}”` }]
}

type CodesProps = InputAttributes & {
  name: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
}

/** Codes with commas between them; for the one that is being typed those that there are are offered. */
export const CodesInput = ({ value, onChange, ...input }: CodesProps) => (
  <Combobox
    {...input}
    text={value}
    part={lastOf}
    listLabel="A code"
    find={async (asked, signal) =>
      (await findOptions('attributes', asked, signal)).map(
        ({ id, name, context }): Offer => ({ key: id, text: name, context: context === name ? null : context }),
      )
    }
    onText={onChange}
    onTake={({ text }) => onChange(value.slice(0, value.length - lastOf(value).length) + text)}
  />
)

/** What stands behind the last comma, and the space behind that. */
const lastOf = (codes: string) => /(?:^|[,|])\s*([^,|]*)$/.exec(codes)?.[1] ?? ''
