import { useId } from 'preact/hooks'
import { Choice } from '../../kit/form.tsx'
import type { Options } from './sending.ts'

type OptionsProps = { options: Options; onChange: (options: Options) => void }

/** How a file is to be imported. */
export const OptionFields = ({ options, onChange }: OptionsProps) => {
  const id = useId()
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
        <div class="field">
          <label for={`${id}-map`}>What a heading means</label>
          <textarea
            id={`${id}-map`}
            name="map"
            rows={3}
            value={options.map}
            aria-describedby={`${id}-map-hint`}
            onInput={({ currentTarget }) => onChange({ ...options, map: currentTarget.value })}
          />
          <p class="hint" id={`${id}-map-hint`}>
            One a line, such as <code>Crd Nmbr=number</code>.
          </p>
        </div>
        <div class="field">
          <label for={`${id}-encoding`}>Encoding</label>
          <input
            id={`${id}-encoding`}
            name="encoding"
            value={options.encoding}
            autocomplete="off"
            aria-describedby={`${id}-encoding-hint`}
            onInput={({ currentTarget }) => onChange({ ...options, encoding: currentTarget.value })}
          />
          <p class="hint" id={`${id}-encoding-hint`}>
            Such as <code>windows-1250</code>. Leave it empty, and the import finds out.
          </p>
        </div>
      </details>
    </>
  )
}
