import { useState } from 'preact/hooks'
import { Section } from '../../kit/page.tsx'
import { useFilters } from '../address.ts'
import { DropZone } from '../drop-zone.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { ImportList } from './import-list.tsx'
import { OptionFields } from './options.tsx'
import { accepted, lastSent, useSending, usualOptions } from './sending.tsx'

/** Sends a checklist for a dry run, and lists past imports. */
export const Imports = () => {
  const { filters, hrefOf } = useFilters('/operations/imports', { page: '1' })
  const [options, setOptions] = useState(usualOptions)
  const { send, isBusy, state } = useSending()
  const last = lastSent()
  return (
    <OperatorPage title="Imports">
      <OptionFields options={options} onChange={setOptions} />
      <DropZone
        label="Drop a checklist here, or choose a file"
        hint={`${accepted} You’ll see what it would change before anything is written.`}
        onFile={(file) => send(file, options)}
        isBusy={isBusy}
      />
      {last && !isBusy && (
        <p>
          <button type="button" onClick={() => send(last.file, options)}>
            Try {last.file.name} again
          </button>
        </p>
      )}
      {state}
      <Section title="Past imports">
        <ImportList page={filters.page} hrefOf={hrefOf} />
      </Section>
    </OperatorPage>
  )
}
