import { refusal } from './errors.ts'

/** 429: too many long polls at once, of one caller or of all together. */
export const tooManyPolls = () =>
  refusal(429, 'TOO-MANY-REQUESTS', 'Too many requests')(
    'Too many requests wait for news at once: let some of them end first.',
    undefined,
    { 'Retry-After': '5' },
  )

/** 503: the request takes too long. */
export const timedOut = (
  detail = 'This took longer than a request may: narrow what you ask for, or try again later.',
) => refusal(503, 'TIMEOUT', 'Timeout')(detail, undefined, { 'Retry-After': '5' })

/** 503: a disk is full, and nothing was changed. */
export const storageFull = () =>
  refusal(503, 'STORAGE_FULL', 'Storage full')('There is no room to store this: nothing was changed.', undefined, {
    'Retry-After': '30',
  })

/** 503: no file descriptor is free. */
export const outOfDescriptors = () =>
  refusal(503, 'UNAVAILABLE', 'Unavailable')('The service has too much open now: try again in a moment.', undefined, {
    'Retry-After': '2',
  })
