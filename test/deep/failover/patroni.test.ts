import { setDefaultTimeout, test } from 'bun:test'
import { failOver } from '../../support/failing-over.ts'
import { type Patroni, startPatroni } from '../../support/patroni.ts'

setDefaultTimeout(290_000)

const ways: Record<string, (patroni: Patroni) => Promise<void>> = {
  'is killed': ({ kill }) => kill('server'),
  'goes with its machine': ({ kill }) => kill('machine'),
  'hands over': ({ switchover }) => switchover(),
}

test.each(Object.keys(ways))(
  'behind Patroni as the kit has it, no acknowledged write is lost or done twice where the primary %s',
  async (way) => {
    const patroni = await startPatroni(`Patroni whose primary ${way}`)
    if (!patroni) return
    const takes = async () => ways[way]?.(patroni)
    try {
      await failOver(`Patroni, the primary ${way}`, { DATABASE_URL: patroni.url }, { takes, gives: patroni.primary })
    } finally {
      await patroni.stop()
    }
  },
)
