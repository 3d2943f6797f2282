import { useContext, useRef, useState } from 'preact/hooks'
import { Shown } from '../../catalog/shown.ts'
import { asRefused, type Refused } from '../../kit/api.ts'
import type { Made } from '../naming/vocabulary.ts'
import { type Draft, emptyRow, enterRow, isUntouched, numberAfter, numberToBegin, takeBackRow } from './rows.ts'

/** A row that was typed: being saved, saved as a card, or refused. */
export type Row = { draft: Draft; name?: string; made: Made; failure?: Refused }

/**
 * Rows typed one after the other. A row is saved while the next one is typed, in order. A refused row goes back into the form if
 * nothing was typed there since. Otherwise it waits in the list.
 */
export const useTyping = (setId: string) => {
  const { reload } = useContext(Shown)
  const [rows, setRows] = useState<Row[]>([])
  const [open, setOpen] = useState<{ draft: Draft; failure?: Refused }>()
  const [said, say] = useState('')
  const typed = useRef<Draft | undefined>(undefined)
  const aside = useRef<Draft | undefined>(undefined)
  const turn = useRef<Promise<unknown>>(Promise.resolve())
  const waiting = useRef(0)
  const isChanged = useRef(false)

  /** Opens a row in the form, or closes the form. */
  const show = (draft?: Draft, failure?: Refused) => {
    typed.current = draft
    setOpen(draft && { draft, failure })
  }
  const change = (draft: Draft) => {
    typed.current = draft
    setOpen((now) => now && { ...now, draft })
  }
  const drop = (id: string) => setRows((now) => now.filter(({ draft }) => draft.id !== id))
  const settle = (row: Row) => setRows((now) => now.map((one) => (one.draft.id === row.draft.id ? row : one)))

  /** Does something once everything before it is done. When nothing more is waiting, the checklist is reloaded. */
  const inTurn = (work: () => Promise<void>) => {
    waiting.current++
    turn.current = turn.current.then(work).finally(() => {
      waiting.current--
      if (waiting.current > 0 || !isChanged.current) return
      isChanged.current = false
      reload()
    })
    return turn.current
  }

  const refuse = (row: Row, failure: Refused) => {
    const now = typed.current
    if (now && !isUntouched(now)) {
      settle({ ...row, failure })
      say('')
      return
    }
    drop(row.draft.id)
    show(row.draft, failure)
    say('')
  }
  const write = (row: Row) =>
    inTurn(async () => {
      try {
        const { name, made } = await enterRow(setId, row.draft)
        isChanged.current = true
        settle({ ...row, name, made })
        say(`Saved: ${name}${made.map((one) => `, with a new ${one.type.slice(0, -1)}, ${one.name}`).join('')}`)
      } catch (error) {
        refuse(row, asRefused(error))
      }
    })

  return {
    rows,
    open,
    said,
    change,
    begin: async () => show(emptyRow(await numberToBegin(setId).catch(() => ''))),
    close: () => {
      setRows((now) => now.filter(({ failure }) => failure))
      show()
    },
    /** Saves the row in the form, and opens the one that was put aside, or else the next one. */
    save: () => {
      const draft = typed.current
      if (!draft) return
      const row = { draft, made: [] }
      setRows((now) => [...now, row])
      show(aside.current ?? emptyRow(numberAfter(draft.number)))
      aside.current = undefined
      void write(row)
    },
    /** Moves a refused row back into the form. What is typed there is put aside until that row is saved. */
    mend: ({ draft, failure }: Row) => {
      if (typed.current && !isUntouched(typed.current)) aside.current = typed.current
      drop(draft.id)
      show(draft, failure)
    },
    /** Deletes a row's card. With `isAgain`, what was typed goes back into the form, as a new card. */
    takeBack: ({ draft, name, made }: Row, isAgain: boolean) =>
      inTurn(async () => {
        try {
          await takeBackRow(draft.id, made)
          isChanged.current = true
          drop(draft.id)
          if (isAgain) show({ ...draft, id: emptyRow('').id })
          say(`Deleted: ${name}`)
        } catch (error) {
          say('')
          setOpen((now) => now && { ...now, failure: asRefused(error) })
        }
      }),
  }
}
