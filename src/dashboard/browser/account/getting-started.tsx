import { useState } from 'preact/hooks'
import { get } from '../kit/api.ts'
import { keptKey } from '../kit/key-in-tab.ts'
import { useLoaded } from '../kit/load.ts'
import { Page, Section } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { CodeBlock } from '../kit/secret.tsx'
import { at, settings } from '../kit/settings.ts'
import { TryRequest } from './try-request.tsx'

const base = settings.origin + settings.base

/** Example requests for a start, with the service's URL and the reader's key filled in. */
export const GettingStarted = () => {
  const { person } = usePerson()
  const [key, setKey] = useState(keptKey() ?? '')
  const sample = useSample()
  const shown = key.trim() || `${settings.brand}_live_…`
  return (
    <Page title="Getting started" lede="Make your first request.">
      <Section title="1. Get a key">
        <p>
          {person ? (
            <>
              You saw your key when you verified your address. If you lost it, replace it{' '}
              <a href={at('/account')}>in your account</a>.
            </>
          ) : (
            <>
              <a href={at('/signup')}>Sign up</a>, and open the link in the e-mail to get your key.
            </>
          )}{' '}
          Paste it here to use it in the examples. It stays in this tab.
        </p>
        <div class="field">
          <label for="key">Your key</label>
          <input
            id="key"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
            placeholder={`${settings.brand}_live_…`}
            autocomplete="off"
            spellcheck={false}
          />
        </div>
      </Section>
      <Section title="2. Send a request">
        <TryRequest label="the request for sets" apiKey={shown} path="/v1/sets?include=genre,year&per_page=5" />
      </Section>
      <Section title="3. Find a player’s cards">
        <p>
          <code>like:</code> finds part of a name. <code>include</code> adds related records.
        </p>
        <TryRequest
          label="the search for a player"
          apiKey={shown}
          path={`/v1/players?filter[full_name]=like:${(sample?.name ?? 'Michael Jordan').toLowerCase().replace(/[^\p{L}\p{N} .-]/gu, '')}`}
        />
        <TryRequest
          label="the request for a player’s cards"
          apiKey={shown}
          path={`/v1/players/${sample?.id ?? 'PLAYER_ID'}/cards?include=set,attributes&per_page=5`}
        />
      </Section>
      <Section title="4. Use it in TypeScript">
        <CodeBlock label="the program" text={program(shown)} />
      </Section>
      <Section title="5. Good to know">
        <ul>
          <li>
            Every response tells you how many requests remain (<code>X-RateLimit-Remaining</code>). After a 429,{' '}
            <code>Retry-After</code> says when to try again.
          </li>
          <li>
            Errors are JSON:API error objects. Programs can rely on their <code>code</code>. Mention the request id when
            you ask for help.
          </li>
          <li>
            The{' '}
            <a href={at('/docs')} target="_top">
              API documentation
            </a>{' '}
            covers every request, and you can try them there.
          </li>
        </ul>
      </Section>
    </Page>
  )
}

/** A player in this catalog, so that an example finds something. */
type Sample = { id: string; name: string }

/** The first player that the reader may see. Undefined if there is none, or if the catalog needs a key. */
const useSample = (): Sample | undefined => {
  const { person } = usePerson()
  const base = person ? '/v1' : settings.catalogIsPublic ? '/pages/v1' : undefined
  const read = useLoaded(async (signal) => {
    if (!base) return undefined
    const { data } = await get<{ data: { id: string; attributes: { name: string } }[] }>(`${base}/players?per_page=1`, {
      signal,
    })
    const [player] = data
    return player && { id: player.id, name: player.attributes.name }
  }, `sample ${base}`)
  return read.value
}

const program = (key: string) => `const base = '${base}'
const key = '${key}'

type Card = { id: string; attributes: { name: string; number: string | null } }

const get = async <T>(path: string): Promise<T> => {
  const response = await fetch(base + path, { headers: { Authorization: \`Bearer \${key}\` } })
  if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)
  return (await response.json()) as T
}

const { data, meta } = await get<{ data: Card[]; meta: { total: number } }>('/v1/cards?per_page=10')
console.log(meta.total, data.map((card) => card.attributes.name))
`
