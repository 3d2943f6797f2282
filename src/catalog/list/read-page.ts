import type { Database } from '../../../db/client.ts'
import type { Page, Resource } from '../model/resource.ts'
import { listCards } from './card-pages.ts'
import { listSets } from './set-pages.ts'
import { type ListRequest, listRows } from './store.ts'

export type { ListRequest }

/** A page of a list of /v1. */
export const readPage = (db: Database, resource: Resource, request: ListRequest): Promise<Page> => {
  if (resource.type === 'cards') return listCards(db, resource, request)
  return resource.type === 'sets' ? listSets(db, resource, request) : listRows(db, resource, request)
}
