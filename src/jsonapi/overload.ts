import { refusal } from './errors.ts'

/** 429: too many long polls at once, by one caller or by all together. */
export const tooManyPolls = () =>
  refusal(429, 'TOO-MANY-REQUESTS', 'Too many requests')(
    'Too many requests are waiting for changes. Let some of them finish first.',
    undefined,
    { 'Retry-After': '5' },
  )

/** 503: the request takes too long. */
export const timedOut = (detail = 'This took too long. Narrow your request, or try again later.') =>
  refusal(503, 'TIMEOUT', 'Timeout')(detail, undefined, { 'Retry-After': '5' })

/** 503: the database didn't say whether it committed a write. */
export const outcomeUnknown = () =>
  refusal(503, 'OUTCOME_UNKNOWN', 'Outcome unknown')(
    'The database did not say whether this was done. Send it again with the same Idempotency-Key, or look before you do.',
    undefined,
    { 'Retry-After': '5' },
  )

/** 503: a disk is full, and nothing was changed. */
export const storageFull = () =>
  refusal(503, 'STORAGE_FULL', 'Storage full')('The storage is full. Nothing was changed.', undefined, {
    'Retry-After': '30',
  })

/** 503: the file system of a folder only reads. */
export const storageReadOnly = () =>
  refusal(503, 'UNAVAILABLE', 'Unavailable')('The storage can only be read. Nothing was changed.', undefined, {
    'Retry-After': '30',
  })

/** 503: no file descriptor is free. */
export const outOfDescriptors = () =>
  refusal(503, 'UNAVAILABLE', 'Unavailable')(
    'The service has too many files and connections open. Try again in a moment.',
    undefined,
    {
      'Retry-After': '2',
    },
  )
