import type { ComponentType } from 'preact'
import { useRoute } from 'preact-iso/router'

/** A page for the id in the URL. Another id is another page. */
export const withId = (Detail: ComponentType<{ id: string }>) => () => {
  const { id = '' } = useRoute().params
  return <Detail key={id} id={id} />
}
