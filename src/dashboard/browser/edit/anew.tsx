import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEdited } from './record.ts'

/** A part that starts fresh for each record: nothing typed or shown on one page carries over to the next. */
export const anew = (Part: FunctionComponent<{ children?: ComponentChildren }>) =>
  function PartOfRecord({ children }: { children?: ComponentChildren }) {
    const { type, id } = useEdited()
    return <Part key={`${type} ${id}`}>{children}</Part>
  }
