import type { Scope } from '../../lib/scopes.ts'

/** Who is signed in. */
export type Person = { email: string; name: string | null; operator: boolean }

/** What the service tells the pages about itself. `base` is the path before every URL path, usually an empty text. */
export type Settings = {
  brand: string
  title: string
  origin: string
  base: string
  /** The icon's URL path. */
  icon: string
  catalogIsPublic: boolean
  canBuy: boolean
  trialDays: number
  grantable: Scope[]
  person: Person | null
}

/** The name of the meta element that contains them. */
export const settingsName = 'cardstock-settings'
