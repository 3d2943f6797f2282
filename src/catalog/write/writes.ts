import type { Transaction } from '../../../db/client.ts'
import type { Input } from '../model/resource.ts'
import type { Writer } from './card/cards.ts'

/** What the documents of a resource can do; what it lacks has no route. `create` answers the id of what it made or restored. */
export type Writes = {
  create?: (tx: Transaction, id: string, input: Input, writer: Writer) => Promise<string>
  update?: (tx: Transaction, id: string, input: Input, writer: Writer) => Promise<void>
  remove?: (tx: Transaction, id: string, writer: Writer, options: { force: boolean }) => Promise<void>
}
