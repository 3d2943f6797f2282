import { makeApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { type Context, makeContext } from '../../src/context.ts'
import { type TestApp, testBaseUrl } from './app.ts'

/** Another instance of the service, on the same database with other settings. */
export const otherSettings = (app: TestApp, environment: Record<string, string>) => {
  const { db, log, clock, secret, config } = app.context
  const other = readConfig({
    ...{ APP_ENV: 'development', BASE_URL: testBaseUrl, TRUSTED_PROXIES: '127.0.0.1', DATA_DIR: config.dataDir },
    ...environment,
  })
  const context: Context = makeContext({ config: other, db, log, clock, secret })
  const handler = makeApp(context)
  return { ...app, context, fetch: async (request: Request): Promise<Response> => handler.handle(request) }
}
