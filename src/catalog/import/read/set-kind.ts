import type { SetKind } from './item.ts'

const AUTOGRAPH = /\b(?:auto(?:graph)?s?|autographed|signatures?|signed|signings|sigs|inks?|penmanship|scribbles)\b/i
const BASE =
  /^(?:basee?\b|(?:low|high|update|traded|main) (?:series|set)\b|series (?:\d|one|two|three)(?: base set)?$|update$|traded$|set$|complete set)/i

/** The kind of a release's set by its name: autograph, base (`Base Set`, `Series 1`, the release's own name), else insert. */
export const kindOfSet = (name: string, releaseName = ''): SetKind =>
  AUTOGRAPH.test(name)
    ? 'autograph'
    : BASE.test(name) || (name !== '' && releaseName.startsWith(name))
      ? 'base'
      : 'insert'
