import { useAnswer } from '../../kit/answer.ts'
import { Fact, FactList } from '../../kit/fact.tsx'
import { Show } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { CodeBlock } from '../../kit/secret.tsx'
import { at } from '../../kit/settings.ts'
import { Table } from '../../kit/table.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { readChanges } from './audit-changes.ts'
import type { Entry } from './audit-log.tsx'
import { historyOf, pageOf, sayRecord } from './audit-names.ts'

/** An audit log entry: what it changed, before and after, and its other details. */
export const AuditEntry = ({ id }: { id: string }) => {
  const read = useAnswer<{ data: Entry }>(`/internal/audit-logs/${id}`)
  return (
    <OperatorPage title="Audit log entry" actions={<a href={at('/operations/audit-log')}>Go to the audit log</a>}>
      <Show of={read} lines={10}>
        {({ data: { attributes, meta } }) => (
          <>
            <Facts entry={attributes} names={meta} />
            <Data data={attributes.data ?? {}} />
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

const Facts = ({ entry, names }: { entry: Entry['attributes']; names: Entry['meta'] }) => {
  const { event_type, auditable_type, auditable_id, agent_id, created_at } = entry
  const page = pageOf(entry)
  return (
    <dl class="facts">
      <Fact name="Event">{event_type}</Fact>
      <Fact name="When">
        <time dateTime={created_at}>{created_at}</time>
      </Fact>
      <Fact name="By">
        {names.agent_name && <bdi>{names.agent_name} </bdi>}
        <code>{agent_id ?? '–'}</code>
      </Fact>
      <Fact name="Record">
        <bdi>{sayRecord(entry, names.record_name)}</bdi> {auditable_id && <code>{auditable_id}</code>}
        {page && (
          <p>
            <a href={at(page)}>{auditable_type === 'set_todo' ? 'Go to the set’s workflow' : 'Go to the record'}</a>
          </p>
        )}
        {auditable_type && auditable_id && (
          <p>
            <a href={at(historyOf(auditable_type, auditable_id))}>Show its history</a>
          </p>
        )}
      </Fact>
    </dl>
  )
}

const Data = ({ data }: { data: Record<string, unknown> }) => {
  const { changes, facts } = readChanges(data)
  if (Object.keys(data).length === 0) return <p class="faint">This entry has no more details.</p>
  return (
    <>
      {changes.length > 0 && (
        <Section title="Before and after">
          <Table
            caption="Before and after"
            rows={changes}
            keyOf={({ name }) => name}
            columns={[
              { title: 'What', cell: ({ name }) => name },
              { title: 'Before', cell: ({ before }) => before },
              { title: 'After', cell: ({ after }) => after },
            ]}
          />
        </Section>
      )}
      {facts.length > 0 && (
        <Section title="More details">
          <FactList facts={facts.map(({ name, value }) => [name, value])} />
        </Section>
      )}
      <details>
        <summary>As JSON</summary>
        <CodeBlock text={JSON.stringify(data, null, 2)} label="the entry’s data" />
      </details>
    </>
  )
}
