import { unavailable } from '../jsonapi/errors.ts'
import { openLane } from '../lib/lane.ts'

/** What hashing a password with argon2id costs: memory in KiB, and passes over it. */
export type PasswordCost = { memoryCost: number; timeCost: number }

/** The cost in production: 64 MiB, twice. */
export const realCost: PasswordCost = { memoryCost: 65_536, timeCost: 2 }

let cost = realCost

/** Makes passwords cheap. For tests only: nothing in the service calls it, and no setting reaches it (test/house.test.ts). */
export const setPasswordCost = (other: PasswordCost) => {
  cost = other
}

/** Each hash takes a core for a quarter of a second, and 64 MiB. A process makes two at a time, and 32 may wait. */
const lane = openLane({
  atOnce: 2,
  waiting: 32,
  full: () => unavailable('Too many passwords are being checked right now. Try again in a moment.'),
  left: () => unavailable('The client left before its password was checked.'),
})

/** Hashes a password for storage (argon2id). 503 if too many wait. Nothing is hashed for a client that has left. */
export const hashPassword = (password: string, signal?: AbortSignal): Promise<string> =>
  lane(() => Bun.password.hash(password, { algorithm: 'argon2id', ...cost }), signal)

/** Whether a password matches a hash. Without a hash it never does, but takes as long. Refuses as `hashPassword` does. */
export const isRightPassword = async (
  password: string,
  hash: string | null | undefined,
  signal?: AbortSignal,
): Promise<boolean> => {
  const isRight = await lane(() => Bun.password.verify(password || ' ', hash ?? decoyHash()), signal)
  return isRight && typeof hash === 'string'
}

/** Nobody's password. Checking it takes as long as checking a real one. */
export const decoyHash = () =>
  `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$PnnkqW1qMc1xJCJpoQOLGhqwsz5JesT4FcVvq8xf0qI$6ib3IrfJEUolfKpoBlVqgSIJf/8dHRmJR2RynAES1dA`
