import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { capital } from '../lib/capital.ts'
import type { Person, Settings } from './browser/settings.ts'
import type { Files } from './bundle.ts'
import { nameOf } from './files.ts'

/** What the pages know about the service and the signed-in user. */
export const settingsFor = ({ config, payments }: Context, files: Files, person: Person | null): Settings => ({
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
