import { useContext, useRef, useState } from 'preact/hooks'
import { Shown } from '../../catalog/shown.ts'
import { asRefused, type Refused } from '../../kit/api.ts'
import type { Made } from '../naming/vocabulary.ts'
import { type Draft, emptyRow, enterRow, isUntouched, numberAfter, numberToBegin, takeBackRow } from './rows.ts'

/** A row that was typed: on its way, saved as a card, or refused. */
export type Row = { draft: Draft; name?: string; made: Made; failure?: Refused }

/**
 * Rows that are typed one after the other. A row is saved while the next one is typed, each after the one before. One that is
 * refused comes back into the form if nothing was typed there since; else it waits in the list.
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

  /** Opens a row in the form, or none. */
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

  /** Does something once all that came before it is done. The checklist is read again when nothing more is waiting. */
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
    ...{ rows, open, said, change },
    begin: async () => show(emptyRow(await numberToBegin(setId).catch(() => ''))),
    close: () => {
      setRows((now) => now.filter(({ failure }) => failure))
      show()
    },
    /** Sends the row in the form, and begins the next, or goes on with the one that was put aside. */
    save: () => {
      const draft = typed.current
      if (!draft) return
      const row = { draft, made: [] }
      setRows((now) => [...now, row])
      show(aside.current ?? emptyRow(numberAfter(draft.number)))
      aside.current = undefined
      void write(row)
    },
    /** Takes a refused row back into the form; what is typed there is put aside until it is saved. */
    mend: ({ draft, failure }: Row) => {
      if (typed.current && !isUntouched(typed.current)) aside.current = typed.current
      drop(draft.id)
      show(draft, failure)
    },
    /** Deletes the card of a row; `isAgain` takes what was typed back into the form, as another card. */
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
