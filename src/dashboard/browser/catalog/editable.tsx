/** @jsxImportSource preact */

/*
 * Operators edit in the pages of the catalog. A page wraps whatever can be edited in `Editable`, which loads `edit/` for an
 * operator and puts the editor's part of that name in its place. `edit/record.ts` reads the record through `/v2` and
 * writes it with `If-Match`. `edit/inline.tsx` is a field that opens in place, and `edit/facts.tsx` lists the fields
 * of each type.
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usePerson } from '../kit/person.tsx'

type Editor = typeof import('../edit/index.tsx')

let editor: Editor | undefined

type EditableProps = { part: keyof Editor['parts']; children?: ComponentChildren }

/**
 * A part of a page that operators can edit. Everyone else sees it as is and never loads the editor's script. Operators see it as
 * is until the editor is loaded.
 */
export const Editable = ({ part, children }: EditableProps) => {
  const isOperator = usePerson().person?.operator === true
  const [loaded, setLoaded] = useState(editor)
  useEffect(() => {
    if (isOperator && !editor) loadEditor().then(setLoaded, reportError)
  }, [isOperator])
  const Part = isOperator ? loaded?.parts[part] : undefined
  return Part ? <Part>{children}</Part> : children
}

const loadEditor = async () => {
  const one = await import('../edit/index.tsx')
  await one.styled
  editor = one
  return one
}
