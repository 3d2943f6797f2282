import { sizes } from '../limits.ts'
import { refusal } from './errors.ts'

const source = { header: 'Idempotency-Key' }

/** 400: the header isn't a key. */
export const idempotencyKeyInvalid = () =>
  refusal(
    400,
    'IDEMPOTENCY_KEY_INVALID',
    'Invalid idempotency key',
  )(`Send 1 to ${sizes.idempotencyKey.most} visible ASCII characters, without spaces.`, source)

/** 409: the first request with the key is still at work. */
export const idempotencyKeyInUse = () =>
  refusal(409, 'IDEMPOTENCY_KEY_IN_USE', 'Idempotency key in use')(
    'A request with this key is still at work. Send this one again in a moment.',
    source,
    { 'Retry-After': '1' },
  )

/** 422: the key belongs to another request. */
export const idempotencyKeyReused = () =>
  refusal(
    422,
    'IDEMPOTENCY_KEY_REUSED',
    'Idempotency key reused',
  )('You sent this key with another request. Each new request needs a new key.', source)
