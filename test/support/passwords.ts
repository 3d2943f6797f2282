import { type PasswordCost, setPasswordCost } from '../../src/access/passwords.ts'

/** A hash with no strength that takes no time. Tests of passwords aren't about their cost, unless they say so. */
export const cheapCost: PasswordCost = { memoryCost: 8, timeCost: 1 }

setPasswordCost(cheapCost)
