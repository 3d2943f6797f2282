import { useState } from 'preact/hooks'
import { sayNumber } from '../kit/format.ts'
import { CodeBlock } from '../kit/secret.tsx'
import { at, settings } from '../kit/settings.ts'

const base = settings.origin + settings.base

/** A request as a curl command. `-g` keeps curl from expanding the brackets of filters. */
const curl = (key: string, path: string) =>
  `curl -g '${base}${path.replaceAll(' ', '%20')}' \\\n  -H 'Authorization: Bearer ${key}'`

type TryRequestProps = { apiKey: string; path: string; label: string }

type Answer = { isGood: boolean; line: string; text: string }

/** How many lines of an answer are shown. */
const mostLines = 40

/** A request with a key, to copy or to send from here. */
export const TryRequest = ({ apiKey, path, label }: TryRequestProps) => {
  const [answer, setAnswer] = useState<Answer>()
  const [isSending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    setAnswer(await ask(apiKey, path))
    setSending(false)
  }
  return (
    <>
      <CodeBlock label={label} text={curl(apiKey, path)} />
      <p class="actions">
        <button type="button" onClick={send} aria-disabled={isSending}>
          Run it here<span class="unseen">: {label}</span>
        </button>
        <span role="status">{answer?.line}</span>
      </p>
      {answer?.isGood && <CodeBlock label={`the answer to ${label}`} text={answer.text} />}
    </>
  )
}

/** Sends a request without the session cookie, as a program would. */
const ask = async (key: string, path: string): Promise<Answer> => {
  try {
    const headers = { Authorization: `Bearer ${key}`, Accept: 'application/vnd.api+json' }
    const answer = await fetch(at(path), { headers, credentials: 'omit' })
    const left = answer.headers.get('x-ratelimit-remaining')
    const json: unknown = await answer.json()
    const lines = JSON.stringify(json, null, 2).split('\n')
    return {
      isGood: answer.ok,
      line: answer.ok
        ? `${answer.status}${left ? `, ${sayNumber(Number(left))} requests left` : ''}`
        : sayRefusal(answer.status, json),
      text: [...lines.slice(0, mostLines), ...(lines.length > mostLines ? ['…'] : [])].join('\n'),
    }
  } catch {
    return { isGood: false, line: 'There was no answer. Are you online?', text: '' }
  }
}

const sayRefusal = (status: number, json: unknown) => {
  const [fault] = (json as { errors?: { detail?: string; title?: string }[] }).errors ?? []
  if (status === 401) return 'The key was refused (401). Paste your own above.'
  return `${status}: ${fault?.detail ?? fault?.title ?? 'refused'}`
}
