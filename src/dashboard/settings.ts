import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { readUrl } from '../http/request.ts'
import type { Call } from '../http/route.ts'
import { capital } from '../lib/capital.ts'
import type { Person, Settings } from './browser/settings.ts'
import type { Files } from './bundle.ts'
import { nameOf, readFiles } from './files.ts'
import { whoAsks } from './who.ts'

/** What a page is drawn with: the files, who requested it, the settings for that person, and its URL. */
export const openPage = async (context: Context, call: Pick<Call, 'request' | 'caller' | 'now'>) => {
  const [files, who] = await Promise.all([readFiles(), whoAsks(context, call)])
  const settings = settingsFor(context, files, who.person)
  const { pathname, search } = readUrl(call.request)
  return { files, who, settings, url: `${settings.base}${pathname}${search}` }
}

/** What the pages know about the service and the signed-in user. */
const settingsFor = ({ config, payments }: Context, files: Files, person: Person | null): Settings => ({
  brand: config.brand,
  title: capital(config.brand),
  origin: new URL(config.baseUrl).origin,
  base: baseOf(config),
  icon: `${baseOf(config)}/assets/${nameOf(files, 'icon', 'svg')}`,
  catalogIsPublic: config.publicCatalog,
  canBuy: payments !== undefined,
  trialDays: config.trialDays,
  grantable: config.selfServiceScopes,
  person,
})

/** The path that all of the service's URLs start with if a proxy serves it under one, otherwise an empty text. */
const baseOf = ({ baseUrl }: Config) => new URL(baseUrl).pathname.replace(/\/+$/, '')
