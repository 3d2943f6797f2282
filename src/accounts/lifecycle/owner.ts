import type { Config } from '../../config.ts'

/** Whoever a mail about a trial goes to: `email` is the key of the address. */
export type Owner = { id: string; email: string; trial_ends_at: string }

/** So many accounts are treated in one transaction. */
export const atOnce = 500

/** The page on which a plan is chosen. */
export const linkToPlans = ({ baseUrl }: Pick<Config, 'baseUrl'>) => `${baseUrl}/account`
