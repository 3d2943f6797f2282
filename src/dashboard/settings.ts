import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Person, Settings } from './browser/settings.ts'

/** What the pages are told of the service, and of who is signed in. */
export const settingsFor = ({ config, payments }: Context, person: Person | null): Settings => ({
  brand: config.brand,
  title: titleOf(config),
  origin: new URL(config.baseUrl).origin,
  base: baseOf(config),
  catalogIsPublic: config.publicCatalog,
  canBuy: payments !== undefined,
  trialDays: config.trialDays,
  grantable: config.selfServiceScopes,
  person,
})

/** What the service calls itself, such as `Cardstock`. */
const titleOf = ({ brand }: Config) => brand.charAt(0).toUpperCase() + brand.slice(1)

/** The path before every address of the service, where a proxy has it under one; otherwise an empty text. */
const baseOf = ({ baseUrl }: Config) => new URL(baseUrl).pathname.replace(/\/+$/, '')
