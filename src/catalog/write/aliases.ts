import { validationFailed } from '../../jsonapi/errors.ts'
import { sizes } from '../../limits.ts'

/** Refuses a document's aliases, one a line, where they are more than a record may have and more than this one has already. */
export const refuseManyAliases = (given: string | null | undefined, before: string | null | undefined) => {
  const many = countOf(given)
  if (many > sizes.aliases.most && many > countOf(before))
    throw validationFailed([
      { pointer: '/data/attributes/aliases', detail: `Must have at most ${sizes.aliases.most} items.` },
    ])
}

const countOf = (aliases: string | null | undefined) => aliases?.split('\n').length ?? 0
