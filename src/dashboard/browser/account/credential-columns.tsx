import { sayDay, sayMoment } from '../kit/format.ts'
import type { Column } from '../kit/table.tsx'

type Credential = { name: string; created_at: string; last_used_at: string | null }

/** The last columns of a list of credentials: when one was made and last used, and the button that ends it, with its word. */
export const credentialColumns = <T extends Credential>(word: string, onEnd: (one: T) => void): Column<T>[] => [
  { title: 'Made', cell: ({ created_at }) => sayDay(created_at), isWhole: true },
  {
    title: 'Last used',
    cell: ({ last_used_at }) => (last_used_at ? sayMoment(last_used_at) : 'never'),
    isWhole: true,
  },
  {
    title: 'Actions',
    isWhole: true,
    cell: (one) => (
      <button type="button" onClick={() => onEnd(one)}>
        {word}
        <span class="unseen"> {one.name}</span>
      </button>
    ),
  },
]
