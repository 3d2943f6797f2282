import { useId, useState } from 'preact/hooks'
import { useCopying } from '../kit/copyable.tsx'
import { Asked } from '../kit/dialog.tsx'
import { sayCount } from '../kit/format.ts'
import { Notice } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { at } from '../kit/settings.ts'
import { type Taken, takeCsv, writeCsv } from './csv.ts'
import { type Collected, removeAll } from './kept.ts'
import { fragmentOf } from './share.ts'

type OwnProps = { collection: Collected[] }

/** Ways out of the collection and into it: a file, a link, and an end. */
export const OutAndIn = ({ collection }: OwnProps) => (
  <Section title="Keep and share">
    {collection.length > 0 && (
      <div class="actions">
        <Download collection={collection} />
        <Link collection={collection} />
        <Asked title="Remove everything?" label="Remove everything" onConfirm={async () => removeAll()}>
          <p>Download it first if you may want it back.</p>
        </Asked>
      </div>
    )}
    <TakeIn />
  </Section>
)

const Download = ({ collection }: OwnProps) => {
  const [said, setSaid] = useState('')
  const download = async () => {
    setSaid('Writing…')
    try {
      const url = URL.createObjectURL(new Blob([await writeCsv(collection)], { type: 'text/csv' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: 'collection.csv' })
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
      setSaid('')
    } catch (error) {
      setSaid((error as Error).message)
    }
  }
  return (
    <>
      <button type="button" onClick={download}>
        Download as CSV
      </button>
      <span role="status">{said}</span>
    </>
  )
}

const Link = ({ collection }: OwnProps) => {
  const link = `${location.origin}${at('/collection')}${fragmentOf(collection)}`
  const { copy, said } = useCopying(link)
  return (
    <>
      <button type="button" onClick={copy}>
        Copy a link that shows it
      </button>
      <span role="status">
        {said}
        {said &&
          link.length > longLink &&
          `. It has ${sayCount(link.length, 'character')}, and some apps cut off long links.`}
      </span>
    </>
  )
}

/** Chat apps shorten what is longer. */
const longLink = 4000

const TakeIn = () => {
  const id = useId()
  const [taken, setTaken] = useState<Taken>()
  const [fault, setFault] = useState('')
  const take = async (file: File | undefined) => {
    if (!file) return
    setTaken(undefined)
    setFault('')
    await file
      .text()
      .then(takeCsv)
      .then(setTaken, (error: Error) => setFault(error.message))
  }
  return (
    <div class="field">
      <label for={id}>Add cards from a CSV file</label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        A file from here, or a set’s own CSV: its column “id” names the cards, “status” says have or want.
      </p>
      {fault && <Notice kind="bad">{fault}</Notice>}
      {taken && (
        <Notice kind={taken.unread > 0 ? 'warning' : 'good'}>
          {sayCount(taken.cards, 'card')} added.
          {taken.unread > 0 && ` ${sayCount(taken.unread, 'line')} named no card of this catalog.`}
        </Notice>
      )}
    </div>
  )
}
