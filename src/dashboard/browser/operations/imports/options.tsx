import { Choice, Field, LongField } from '../../kit/form.tsx'
import type { Options } from './sending.tsx'

type OptionsProps = { options: Options; onChange: (options: Options) => void }

/** Options for importing a file. */
export const OptionFields = ({ options, onChange }: OptionsProps) => {
  const flag = (name: 'publish' | 'parallels' | 'overwrite' | 'prune' | 'clear_missing' | 'hidden', label: string) => (
    <Choice label={label} checked={options[name]} onChange={(isOn) => onChange({ ...options, [name]: isOn })} />
  )
  return (
    <>
      {flag('publish', 'Publish the checklist’s sets')}
      {flag('parallels', 'Create sets for parallels and variations')}
      {flag('overwrite', 'Replace people’s corrections with the file’s values')}
      {flag('prune', 'Delete cards that aren’t in the file')}
      {flag('clear_missing', 'Clear fields that the file has no column for')}
      <details open={options.map !== '' || options.encoding !== '' || options.hidden}>
        <summary>How the file is read</summary>
        {flag('hidden', 'Read hidden rows, columns and sheets')}
        <LongField
          name="map"
          label="What headings mean"
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
              Such as <code>windows-1250</code>. If you leave this empty, the import detects it.
            </>
          }
        />
      </details>
    </>
  )
}
