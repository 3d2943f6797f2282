import { render } from 'preact'
import { Dialog } from '../kit/dialog.tsx'

type Shortcut = { keys: string[]; does: string; at?: string }

/** What keys do. Those with `at` need a match on the page. Most of these only exist for operators. */
const shortcuts: Shortcut[] = [
  { keys: ['/'], does: 'Search' },
  { keys: ['j', 'k'], does: 'Go to the next or previous row', at: '.to-card, .rows a' },
  { keys: ['Enter'], does: 'Open the row', at: '.to-card, .rows a' },
  { keys: ['e'], does: 'Edit the first field', at: '.pencil, .pencil-add' },
  { keys: ['h'], does: 'Show the history', at: '[aria-keyshortcuts="h"]' },
  { keys: ['n'], does: 'Add cards, row by row', at: '[aria-keyshortcuts="n"]' },
  { keys: ['Delete'], does: 'Delete the row’s card', at: '[aria-keyshortcuts="n"]' },
  { keys: ['Escape'], does: 'Leave a field, a list or a dialog' },
  { keys: ['?'], does: 'Show these shortcuts' },
]

/** Runs a shortcut if the page has what it needs. */
export const press = (key: string) => {
  if (key === '?') showSheet()
  else if (key === 'j' || key === 'k') stepTo(key === 'j' ? 1 : -1)
  else document.querySelector<HTMLElement>(shortcuts.find(({ keys }) => keys.includes(key))?.at ?? 'none')?.click()
}

/** Rows of cards and of other lists. */
const rows = '.card-row .to-card, .rows > li'

const stepTo = (step: number) => {
  const links = [...document.querySelectorAll<HTMLElement>(rows)].flatMap(
    (row) => (row.matches('a') ? row : row.querySelector<HTMLElement>('a')) ?? [],
  )
  const here = links.findIndex((link) => link.closest('li')?.contains(document.activeElement))
  links[here < 0 ? (step > 0 ? 0 : links.length - 1) : here + step]?.focus()
}

const showSheet = () => {
  if (document.querySelector('dialog')) return
  const host = document.body.appendChild(document.createElement('div'))
  const close = () => {
    render(null, host)
    host.remove()
  }
  render(<Sheet onClose={close} />, host)
}

const Sheet = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl class="facts">
      {shortcuts
        .filter(({ at }) => !at || document.querySelector(at))
        .map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} class="badge">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
    </dl>
    <button type="button" onClick={onClose}>
      Close
    </button>
  </Dialog>
)
