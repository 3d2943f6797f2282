import { useState } from 'preact/hooks'
import { keptKey } from '../kit/key-in-tab.ts'
import { Page, Section } from '../kit/page.tsx'
import { usePerson } from '../kit/person.tsx'
import { CodeBlock } from '../kit/secret.tsx'
import { at, settings } from '../kit/settings.ts'
import { useSample } from './sample.ts'
import { TryRequest } from './try-request.tsx'

const base = settings.origin + settings.base

/** The first requests, with the reader's own address and key in them. */
export const GettingStarted = () => {
  const { person } = usePerson()
  const [key, setKey] = useState(keptKey() ?? '')
  const sample = useSample()
  const shown = key.trim() || `${settings.brand}_live_…`
  return (
    <Page title="Getting started" lede="From a key to the first answer.">
      <Section title="1. A key">
        <p>
          {person ? (
            <>
              Your key was shown when you verified your address; <a href={at('/account')}>your account</a> makes a new
              one in its place.
            </>
          ) : (
            <>
              <a href={at('/signup')}>Sign up</a>: the link in the mail gives you a key.
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
      <Section title="2. A first request">
        <TryRequest label="the request for sets" apiKey={shown} path="/v1/sets?include=genre,year&per_page=5" />
      </Section>
      <Section title="3. Find a player’s cards">
        <p>
          <code>like:</code> finds part of a name; <code>include</code> adds related records.
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
      <Section title="4. In TypeScript">
        <CodeBlock label="the program" text={program(shown)} />
      </Section>
      <Section title="5. What to know">
        <ul>
          <li>
            Every answer says how much is left: <code>X-RateLimit-Remaining</code>, and after a 429{' '}
            <code>Retry-After</code>.
          </li>
          <li>
            Errors are JSON:API error objects with a <code>code</code> for programs, and the id of the request for
            questions.
          </li>
          <li>
            Every request is in the{' '}
            <a href={at('/docs')} target="_top">
              API documentation
            </a>
            , where you can try it.
          </li>
        </ul>
      </Section>
    </Page>
  )
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
