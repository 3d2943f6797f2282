import { useState } from 'preact/hooks'
import { get, post, remove } from '../kit/api.ts'
import { Asked } from '../kit/dialog.tsx'
import { FactList } from '../kit/fact.tsx'
import { sayNumber } from '../kit/format.ts'
import { dropKey, keepKey } from '../kit/key-in-tab.ts'
import { type Loaded, useLoaded } from '../kit/load.ts'
import { sayDay, sayMoment } from '../kit/moments.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { ShownOnce } from '../kit/secret.tsx'
import { at } from '../kit/settings.ts'

type Key = {
  attributes: {
    last_four: string
    limit: number
    window_seconds: number
    created_at: string
    last_used_at: string | null
  }
}

const path = '/v1/user/api-key'

type KeyRead = { data: Key | null; dailyLimit: number | undefined }

/** Reads the key, if there is one, and its limit per day. An agreed window may be shorter or longer than a day. */
export const useKey = (): Loaded<KeyRead> =>
  useLoaded(async (signal) => {
    const { data } = await get<{ data: Key | null }>(path, { signal })
    return { data, dailyLimit: data ? dailyLimitOf(data) : undefined }
  }, path)

const dailyLimitOf = ({ attributes: { limit, window_seconds } }: Key) => Math.round((limit * 86_400) / window_seconds)

/** The key: what can be shown of it, and buttons to replace and revoke it. */
export const KeySection = ({ read: key }: { read: Loaded<KeyRead> }) => {
  const [secret, setSecret] = useState<string>()
  const renew = async () => {
    const { meta } = await post<{ meta: { api_key: string } }>(path)
    keepKey(meta.api_key)
    setSecret(meta.api_key)
    key.reload()
  }
  const revoke = async () => {
    await remove(path)
    dropKey()
    setSecret(undefined)
    key.reload()
  }
  return (
    <Section title="Key">
      {secret && (
        <>
          <ShownOnce text={secret} label="Your new key" />
          <p>
            <a href={at('/getting-started')}>Examples with this key filled in</a>, as long as this tab is open.
          </p>
        </>
      )}
      <Show of={key} lines={3}>
        {({ data }) =>
          data ? (
            <>
              <KeyFacts {...data} />
              <div class="actions">
                <Asked title="Regenerate your key?" label="Regenerate key" onConfirm={renew}>
                  <Stops {...data} />
                </Asked>
                <Asked title="Revoke your key?" label="Revoke key" kind="plain" onConfirm={revoke}>
                  <Stops {...data} />
                </Asked>
              </div>
            </>
          ) : (
            <Empty>
              <p>You have no key.</p>
              <button type="button" class="primary" onClick={renew}>
                Create a key
              </button>
            </Empty>
          )
        }
      </Show>
    </Section>
  )
}

const Stops = ({ attributes }: Key) => (
  <p>
    The key that ends in <code>{attributes.last_four}</code> stops working right away, wherever it is used.
  </p>
)

const KeyFacts = ({ attributes: key }: Key) => (
  <FactList
    facts={[
      ['Key', <code key="key">…{key.last_four}</code>],
      ['Limit', `${sayNumber(key.limit)} requests in ${sayNumber(key.window_seconds / 3600)} hours`],
      ['Created', sayDay(key.created_at)],
      ['Last used', sayMoment(key.last_used_at, 'never')],
    ]}
  />
)
