import { type PasswordCost, setPasswordCost } from '../../src/access/passwords.ts'

/** A hash of no strength and no time: what tests claim of passwords is not what they cost, but where they say so. */
export const cheapCost: PasswordCost = { memoryCost: 8, timeCost: 1 }

setPasswordCost(cheapCost)
