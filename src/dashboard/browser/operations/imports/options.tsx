import { Choice, Field, LongField } from '../../kit/form.tsx'
import type { Options } from './sending.ts'

type OptionsProps = { options: Options; onChange: (options: Options) => void }

/** How a file is to be imported. */
export const OptionFields = ({ options, onChange }: OptionsProps) => {
  const flag = (name: 'publish' | 'parallels' | 'overwrite' | 'prune', label: string) => (
    <Choice label={label} checked={options[name]} onChange={(isOn) => onChange({ ...options, [name]: isOn })} />
  )
  return (
    <>
      {flag('publish', 'Publish the sets of the checklist')}
      {flag('parallels', 'Make sets of parallels and variations')}
      {flag('overwrite', 'Take the file’s values where people corrected them')}
      {flag('prune', 'Delete cards that the file does not have')}
      <details open={options.map !== '' || options.encoding !== ''}>
        <summary>How the file is read</summary>
        <LongField
          name="map"
          label="What a heading means"
          rows={3}
          value={options.map}
          onInput={({ currentTarget }) => onChange({ ...options, map: currentTarget.value })}
          hint={
            <>
              One per line, such as <code>Crd Nmbr=number</code>.
            </>
          }
        />
        <Field
          name="encoding"
          label="Encoding"
          value={options.encoding}
          autocomplete="off"
          onInput={({ currentTarget }) => onChange({ ...options, encoding: currentTarget.value })}
          hint={
            <>
              Such as <code>windows-1250</code>. Leave it empty, and the import finds out.
            </>
          }
        />
      </details>
    </>
  )
}
