import { at } from '../kit/settings.ts'
import { useEdited } from './record.ts'

/** Links to merging the page's record with another one. */
export const MergeLink = () => {
  const { type, id } = useEdited()
  return (
    <a class="button" href={at(`/operations/merge?type=${type}&id=${id}`)}>
      Merge…
    </a>
  )
}

/** Links to splitting the page's player into two. */
export const SplitLink = () => (
  <a class="button" href={at(`/operations/split/${useEdited().id}`)}>
    Split…
  </a>
)
