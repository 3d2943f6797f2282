import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEdited } from './record.ts'

/** A part that begins anew with each record: nothing that was typed or said on one page stays on the page of the next. */
export const anew = (Part: FunctionComponent<{ children?: ComponentChildren }>) =>
  function PartOfRecord({ children }: { children?: ComponentChildren }) {
    const { type, id } = useEdited()
    return <Part key={`${type} ${id}`}>{children}</Part>
  }
