import { sayName } from '../../kit/format.ts'
import type { InputAttributes } from '../../kit/labelled.tsx'
import { nouns } from '../../kit/records.tsx'
import { Combobox, type Offer } from './combobox.tsx'
import { findOptions, type Listed, type Picked } from './vocabulary.ts'

type PickProps = InputAttributes & {
  type: Listed
  name: string
  /** If nothing else labels the input. */
  label?: string
  value: Picked
  onChange: (value: Picked) => void
}

/** Chooses a record by typing. It suggests records with matching names and, last, a new one. */
export const Pick = ({ type, value, onChange, ...input }: PickProps) => (
  <Combobox
    {...input}
    text={value.text}
    listLabel={`${sayName(nouns[type])} suggestions`}
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

/** Codes separated by commas. It suggests existing codes for the one being typed. */
export const CodesInput = ({ value, onChange, ...input }: CodesProps) => (
  <Combobox
    {...input}
    text={value}
    part={lastOf}
    listLabel="Code suggestions"
    find={async (asked, signal) =>
      (await findOptions('attributes', asked, signal)).map(
        ({ id, name, context }): Offer => ({ key: id, text: name, context: context === name ? null : context }),
      )
    }
    onText={onChange}
    onTake={({ text }) => onChange(value.slice(0, value.length - lastOf(value).length) + text)}
  />
)

/** What comes after the last comma and its space. */
const lastOf = (codes: string) => /(?:^|[,|])\s*([^,|]*)$/.exec(codes)?.[1] ?? ''
