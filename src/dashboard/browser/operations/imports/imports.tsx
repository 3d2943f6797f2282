import { useState } from 'preact/hooks'
import { Section } from '../../kit/page.tsx'
import { useFilters } from '../address.ts'
import { DropZone } from '../drop-zone.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { ImportList } from './import-list.tsx'
import { OptionFields } from './options.tsx'
import { accepted, useSending } from './send-file.ts'
import { lastSent, usualOptions } from './sending.ts'
import { SendingState } from './sending-state.tsx'

/** Sends a checklist for a dry run, and lists past imports. */
export const Imports = () => {
  const { filters, hrefOf } = useFilters('/operations/imports', { page: '1' })
  const [options, setOptions] = useState(usualOptions)
  const sending = useSending()
  const last = lastSent()
  return (
    <OperatorPage title="Imports">
      <OptionFields options={options} onChange={setOptions} />
      <DropZone
        label="Drop a checklist here, or choose a file"
        hint={`${accepted} You’ll see what it would change before anything is written.`}
        onFile={(file) => sending.send(file, options)}
        isBusy={sending.sending !== undefined}
      />
      {last && !sending.sending && (
        <p>
          <button type="button" onClick={() => sending.send(last.file, options)}>
            Try {last.file.name} again
          </button>
        </p>
      )}
      <SendingState {...sending} />
      <Section title="Past imports">
        <ImportList page={filters.page} hrefOf={hrefOf} />
      </Section>
    </OperatorPage>
  )
}
