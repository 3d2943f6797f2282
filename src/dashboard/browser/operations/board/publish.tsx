import { useState } from 'preact/hooks'
import { isDone, openBefore, type Step, type TodoStatus } from '../../../../lib/workflow-steps.ts'
import { get } from '../../kit/api.ts'
import { Cancel, Dialog } from '../../kit/dialog.tsx'
import { Choice, Form } from '../../kit/form.tsx'
import { sayCount, sayGiven, sayName } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Notice, Show } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import { at } from '../../kit/settings.ts'
import { type Publication, publicationOf, publishSets, type SetBelow, sayRecords, saySets } from './publication.ts'
import { changeTodo } from './todo.ts'

type SetOf = { id: string; name: string }

/**
 * Publishes sets from a page. `ask` opens the dialog for one. The page shows `dialog`, and `said`, which says what was published
 * last. `done` is called afterward.
 */
export const usePublishing = (done: () => void) => {
  const [asked, setAsked] = useState<SetOf>()
  const [published, setPublished] = useState<{ set: SetOf; said: string }>()
  return {
    ask: setAsked,
    dialog: asked && (
      <Publish
        set={asked}
        onClose={() => setAsked(undefined)}
        done={(said) => {
          setPublished({ set: asked, said })
          setAsked(undefined)
          done()
        }}
      />
    ),
    said: published && (
      <Notice kind="good">
        {published.said} <a href={at(`/sets/${published.set.id}`)}>Show {published.set.name}</a>
      </Notice>
    ),
  }
}

type PublishProps = {
  set: SetOf
  onClose: () => void
  done: (said: string) => void
}

/**
 * Shows what readers will see if a set and the drafts below it are published. All are checked at first. Publishes those that stay
 * checked, and completes the “publish” step of the set's workflow, unless earlier steps are open.
 */
export const Publish = ({ set, onClose, done }: PublishProps) => {
  const [chosen, setChosen] = useState<string[]>()
  const [published, setPublished] = useState<number>()
  const path = publicationOf(set.id, chosen)
  const read = useLoaded(async (signal) => {
    const [publication, { workflow }] = await Promise.all([
      get<Publication>(path, { signal }),
      get<{ workflow: { todos: WorkflowTodo[] } | null }>(`/internal/sets/${set.id}/workflow`, { signal }),
    ])
    return { publication, ...stepOf(workflow?.todos ?? []) }
  }, path)
  const publish = async (drafts: SetBelow[], todoId: string | undefined) => {
    await publishSets(
      drafts.map(({ id }) => id),
      setPublished,
    )
    if (todoId) await changeTodo(set.id, todoId, { status: 'completed' })
    done(drafts.length > 0 ? `Published: ${saySets(drafts)}.` : 'The step “Publish” is done.')
  }
  return (
    <Dialog title={`Publish ${sayGiven(set.name)}?`} onClose={onClose}>
      <Show of={read} lines={4}>
        {({ publication, todoId, open }) => {
          const drafts = draftsOf(publication)
          const wanted = drafts.filter(({ id }) => !chosen || chosen.includes(id))
          return (
            <Form
              label={wanted.length > 0 ? `Publish ${sayCount(wanted.length, 'set')}` : 'Mark step as done'}
              onSubmit={() => publish(wanted, open.length > 0 ? undefined : todoId)}
              beside={<Cancel onClose={onClose} />}
            >
              <div class="preview">
                <Drafts
                  drafts={drafts}
                  root={set.id}
                  chosen={wanted}
                  onChange={(next) => setChosen(next.map(({ id }) => id))}
                />
                <Sight {...publication} />
                {open.length > 0 && (
                  <Notice kind="warning">
                    {open.map(sayName).join(', ')} {open.length === 1 ? 'isn’t' : 'aren’t'} done. You can publish the
                    set anyway, but its “Publish” step stays open.
                  </Notice>
                )}
              </div>
              {published !== undefined && <Progress label="Sets published" done={published} of={wanted.length} />}
            </Form>
          )
        }}
      </Show>
    </Dialog>
  )
}

type WorkflowTodo = { id: string; step: Step; status: TodoStatus }

/** The open todo of the “publish” step, and the steps it waits for. */
const stepOf = (todos: WorkflowTodo[]) => {
  const todo = todos.find(({ step, status }) => step === 'publish' && !isDone(status))
  return { todoId: todo?.id, open: todo ? openBefore('publish', todos) : [] }
}

const draftsOf = ({ set, below }: Publication) => [set, ...below].filter(({ status }) => status === 'draft')

type DraftsProps = {
  drafts: SetBelow[]
  root: string
  chosen: SetBelow[]
  onChange: (chosen: SetBelow[]) => void
}

/** The drafts below the set that can be published with it. */
const Drafts = ({ drafts, root, chosen, onChange }: DraftsProps) => {
  const below = drafts.filter(({ id }) => id !== root)
  if (below.length === 0) return null
  const toggle = (set: SetBelow, isOn: boolean) =>
    onChange(drafts.filter((one) => (one.id === set.id ? isOn : chosen.includes(one))))
  return (
    <fieldset>
      <legend>Also publish the drafts below it</legend>
      {below.length > 3 && (
        <Choice
          label={`All ${below.length}`}
          checked={chosen.length === drafts.length}
          onChange={(isOn) => onChange(isOn ? drafts : drafts.filter(({ id }) => id === root))}
        />
      )}
      {below.map((set) => (
        <div key={set.id} class={`depth-${Math.min(set.depth, 4)}`}>
          <Choice
            label={`${set.name} (${sayCount(set.cards_count, 'card')})`}
            checked={chosen.includes(set)}
            onChange={(isOn) => toggle(set, isOn)}
          />
        </div>
      ))}
    </fieldset>
  )
}

/** What readers will see that they can't see now. */
const Sight = ({ set, is_whole, comes_into_sight: { sets, cards, records } }: Publication) => (
  <>
    {sets === 0 && set.status === 'published' ? (
      <p>The set is already published, and there are no drafts below it.</p>
    ) : (
      <p>
        <strong>
          {sayCount(sets, 'set')} with {sayCount(cards, 'card')}
        </strong>{' '}
        will be visible to everyone who can read the catalog.
        {records.length > 0 && ' They will also see:'}
      </p>
    )}
    <Records records={records} />
    {!is_whole && <p class="faint">There are more sets below it. Publish them from their own pages.</p>}
  </>
)

/** Records that readers will see or no longer see, one line per type. */
export const Records = ({ records }: Pick<Publication['comes_into_sight'], 'records'>) =>
  records.length > 0 ? (
    <ul>
      {records.map((one) => (
        <li key={one.type}>{sayRecords(one)}</li>
      ))}
    </ul>
  ) : null
