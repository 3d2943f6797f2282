import { at } from '../kit/settings.ts'
import { useEdited } from './record.ts'

/** The way to merge the record of a page with another one. */
export const MergeLink = () => {
  const { type, id } = useEdited()
  return (
    <a class="button" href={at(`/operations/merge?type=${type}&id=${id}`)}>
      Merge…
    </a>
  )
}

/** The way to make two players of the one on a page. */
export const SplitLink = () => (
  <a class="button" href={at(`/operations/split/${useEdited().id}`)}>
    Split…
  </a>
)
