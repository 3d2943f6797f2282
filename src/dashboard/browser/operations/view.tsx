import type { ComponentType } from 'preact'
import { useRoute } from 'preact-iso/router'
import { NotFound } from '../not-found.tsx'
import { Batches } from './batches.tsx'
import { Board } from './board.tsx'
import { CardBatch } from './card-batch.tsx'
import { Import } from './import.tsx'
import { Imports } from './imports.tsx'
import { Initialization } from './initialization.tsx'
import { Jobs } from './jobs.tsx'

const lists: Record<string, ComponentType> = { board: Board, imports: Imports, batches: Batches, jobs: Jobs }

const details: Record<string, ComponentType<{ id: string }>> = {
  imports: Import,
  batches: CardBatch,
  workflows: Initialization,
}

/** A page of the console by its name in the address. */
export const View = () => {
  const { view = '', id } = useRoute().params
  if (id !== undefined) {
    const Detail = details[view]
    return Detail ? <Detail key={id} id={id} /> : <NotFound />
  }
  const List = lists[view]
  return List ? <List key={view} /> : <NotFound />
}
