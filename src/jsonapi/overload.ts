import { refusal } from './errors.ts'

/** 429: a caller, or all of them together, wait for news in too many requests at once. */
export const tooManyPolls = () =>
  refusal(429, 'TOO-MANY-REQUESTS', 'Too many requests')(
    'Too many requests wait for news at once: let some of them end first.',
    undefined,
    { 'Retry-After': '5' },
  )

/** 503: what was asked takes longer than a request may. */
export const timedOut = (
  detail = 'This took longer than a request may: narrow what you ask for, or try again later.',
) => refusal(503, 'TIMEOUT', 'Timeout')(detail, undefined, { 'Retry-After': '5' })

/** 503: a disk is full; nothing of the request was kept. */
export const storageFull = () =>
  refusal(503, 'STORAGE_FULL', 'Storage full')('There is no room to store this: nothing was changed.', undefined, {
    'Retry-After': '30',
  })

/** 503: no file descriptor is free. */
export const outOfDescriptors = () =>
  refusal(503, 'UNAVAILABLE', 'Unavailable')('The service has too much open now: try again in a moment.', undefined, {
    'Retry-After': '2',
  })
