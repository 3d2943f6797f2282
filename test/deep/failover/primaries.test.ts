import { setDefaultTimeout, test } from 'bun:test'
import { startBalancer } from '../../support/balancer.ts'
import { failOver } from '../../support/failing-over.ts'
import { type OwnServer, ownServer } from '../../support/own-server.ts'

setDefaultTimeout(290_000)

/** How a primary goes. Afterwards, its standby is promoted. */
const ways: Record<string, (primary: OwnServer) => Promise<void>> = {
  'is killed': ({ kill }) => kill(),
  hangs: ({ freeze }) => freeze(),
  'hands over': ({ stop }) => stop('fast'),
}

const places = ['two hosts', 'HAProxy']

test.each(places.flatMap((place) => Object.keys(ways).map((way) => [place, way] as const)))(
  'with %s, no acknowledged write is lost or done twice where the primary %s, and the service goes on',
  async (place, way) => {
    const primary = await ownServer(`a primary that ${way}`)
    if (!primary) return
    const standby = await primary.standby('synchronous')
    const both: [string, string] = [new URL(primary.url).host, standby.hostAndPort]
    const balancer = place === 'HAProxy' ? await startBalancer(`a primary that ${way}, with ${place}`, both) : undefined
    try {
      if (place === 'HAProxy' && !balancer) return
      const DATABASE_URL = `postgres://postgres@${balancer?.hostAndPort ?? both}/postgres?target_session_attrs=primary`
      const gives = async () => {
        await standby.promote()
        if (way === 'hands over') await primary.follow(standby)
      }
      await failOver(
        `${place}, the primary ${way}`,
        { DATABASE_URL },
        { takes: async () => ways[way]?.(primary), gives },
      )
    } finally {
      await balancer?.stop()
      await primary.remove()
    }
  },
)
