import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres } from '../../db/postgres.ts'
import { goesThroughFullDisk } from '../support/full-disk.ts'
import { ownDatabaseRuns } from '../support/own-database.ts'
import { ownServer } from '../support/own-server.ts'
import { serviceProcesses } from '../support/service-process.ts'
import { smallDisk } from '../support/small-disk.ts'

setDefaultTimeout(240_000)

const disk = ownDatabaseRuns('a full disk') ? smallDisk('a full disk', 160) : undefined
const server = disk && (await ownServer('a full disk of PostgreSQL'))

const doctorOf = async (service: Awaited<ReturnType<typeof serviceProcesses>>) => {
  const { ended, out } = service.start('doctor')
  return { exit: await ended(), out: out() }
}

const claim =
  '503 STORAGE_FULL, /health 503 with the check storage, a FAULT line in doctor, and then it goes on by itself'

/** Removes what a server writes anew at the next connection, and refuses that if it can't. */
const forgetCatalogs = (folder: string) => {
  for (const name of new Bun.Glob('**/pg_internal.init').scanSync({ cwd: folder })) rmSync(join(folder, name))
}

const goesThrough = async (settings: Record<string, string>, fault: RegExp, tablespace?: string) => {
  const service = await serviceProcesses(settings)
  const { address } = await service.serve()
  await goesThroughFullDisk({ address, operator: service.operator }, disk as NonNullable<typeof disk>, async () => {
    for (const forget of [() => {}, forgetCatalogs]) {
      if (tablespace) forget(tablespace)
      const { exit, out } = await doctorOf(service)
      expect([exit, out]).toEqual([1, expect.stringMatching(fault)])
    }
  })
  expect(await doctorOf(service)).toMatchObject({ exit: 0 })
}

test.skipIf(!disk)(`a full disk of DATA_DIR with the embedded database: ${claim}`, async () => {
  await goesThrough({ DATA_DIR: join(disk?.path ?? '', 'data') }, /^FAULT +storage +.*ENOSPC/m)
})

test.skipIf(!server)(`a full disk of PostgreSQL: ${claim}`, async () => {
  const tablespace = join(disk?.path ?? '', 'tablespace')
  await server?.lendFolder(tablespace)
  const db = openPostgres({ url: server?.url ?? '', poolSize: 1 })
  await db.sql.unsafe(`create tablespace small location '${tablespace}'`)
  await db.sql.unsafe(`create database cards tablespace small`)
  await db.close()
  await goesThrough(
    { DATABASE_URL: (server?.url ?? '').replace(/postgres$/, 'cards') },
    /^FAULT +storage +.*No space left/m,
    tablespace,
  )
})

afterAll(async () => {
  await server?.remove()
  disk?.remove()
})
