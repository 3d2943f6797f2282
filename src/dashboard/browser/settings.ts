import type { Scope } from '../../lib/scopes.ts'

/** Who is signed in. */
export type Person = { email: string; name: string | null; operator: boolean }

/** What the service tells the pages of itself. `base` is the path before every address, mostly an empty text. */
export type Settings = {
  brand: string
  title: string
  origin: string
  base: string
  /** The address of the pages' icon. */
  icon: string
  catalogIsPublic: boolean
  canBuy: boolean
  trialDays: number
  grantable: Scope[]
  person: Person | null
}

/** The name of the element of the page's head that holds them. */
export const settingsName = 'cardstock-settings'
