/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { asRefused, get, type Refused } from '../kit/api.ts'
import { sayCount } from '../kit/format.ts'
import { Empty, Failure } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { metaOf } from '../kit/page-meta.ts'
import { Pager } from '../kit/pager.tsx'
import { at } from '../kit/settings.ts'
import { CardRows } from './card-rows.tsx'
import { ChecklistFilters } from './checklist-filters.tsx'
import type { Checklist, ChecklistGroup, SetContent, SetNode } from './content.ts'
import { Editable } from './editable.tsx'
import { countRows, firstOf, joined } from './groups.ts'
import { Mine, type Shows, sayHave, useHave } from './mine.tsx'
import { DraftMark } from './set-list.tsx'

type SectionProps = Pick<SetContent, 'set' | 'cards' | 'tree' | 'narrowed' | 'choices' | 'checklist'> & { name: string }

/** A set's checklist, including the sets below it: filters, downloads, and rows. */
export const ChecklistSection = ({ set, cards, tree, narrowed, choices, checklist, name }: SectionProps) => {
  const [shows, setShows] = useState<Shows>('all')
  if (cards.total === 0)
    return (
      <Section title="Checklist" id="checklist">
        <Empty>This set has no cards yet.</Empty>
        <Editable part="entry" />
      </Section>
    )
  const query = new URLSearchParams(narrowed as Record<string, string>).toString()
  const out = (what: string) => at(`/sets/${set.id}/${what}${query ? `?${query}` : ''}`)
  return (
    <Section
      title="Checklist"
      id="checklist"
      actions={
        <>
          <a class="button" href={out('print')}>
            Print checklist
          </a>
          <a class="button" href={out('checklist.csv')} download>
            CSV
          </a>
          <a class="button" href={out('checklist.json')} download>
            JSON
          </a>
        </>
      }
    >
      <Editable part="entry" />
      <ChecklistFilters
        id={set.id}
        narrowed={narrowed}
        choices={choices}
        hasParallels={set.kind !== 'parallel' && Boolean(cards.below.parallel)}
      />
      <Mine sets={[set.id, ...idsIn(tree)]} total={cards.total} shows={shows} onShow={setShows} />
      <div class={`shows-${shows}`}>
        <Rows
          key={`${query} ${checklist.from} ${checklist.total}`}
          id={set.id}
          query={query}
          first={checklist}
          name={name}
        />
      </div>
    </Section>
  )
}

/** The ids of the sets in a tree. */
const idsIn = (tree: SetNode[]): string[] => tree.flatMap(({ id, below }) => [id, ...idsIn(below)])

/** How many rows are requested at a time. */
const more = 500

/** The rows that came with the page, and more of them as the reader nears the end. Without JavaScript, page by page. */
const Rows = ({ id, query, first, name }: { id: string; query: string; first: Checklist; name: string }) => {
  const [groups, setGroups] = useState(first.groups)
  const [failure, setFailure] = useState<Refused>()
  const [isAlive, setAlive] = useState(false)
  const [waiting, setWaiting] = useState<ChecklistGroup[]>([])
  const end = useRef<HTMLDivElement>(null)
  const shown = first.from + countRows(groups)
  useEffect(() => setAlive(true), [])
  const read = async (signal?: AbortSignal) => {
    setFailure(undefined)
    const path = `/pages/content/sets/${id}/checklist?from=${shown}&size=${more}${query ? `&${query}` : ''}`
    await get<Checklist>(path, { signal }).then(
      (next) => signal?.aborted || setWaiting(next.groups),
      (error) => signal?.aborted || setFailure(asRefused(error)),
    )
  }
  useEffect(() => {
    if (waiting.length === 0) return
    const [next, rest] = firstOf(waiting)
    // Draw a few at a time, so that scrolling and typing stay smooth.
    const timer = setTimeout(() => {
      setGroups((now) => joined(now, next))
      setWaiting(rest)
    })
    return () => clearTimeout(timer)
  }, [waiting])
  useEffect(() => {
    // Don't load more rows for readers who go page by page.
    if (!end.current || first.from > 0 || waiting.length > 0 || failure || shown >= first.total) return
    const controller = new AbortController()
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        seen.disconnect()
        void read(controller.signal)
      },
      { rootMargin: '1500px' },
    )
    seen.observe(end.current)
    return () => {
      seen.disconnect()
      controller.abort()
    }
  }, [shown, failure, isAlive, waiting.length > 0])
  if (first.total === 0)
    return (
      <Empty>
        <p>No cards in this set match.</p>
        <a href={at(`/sets/${id}`)}>Show all cards</a>
      </Empty>
    )
  const meta = metaOf(first.from / first.size + 1, first.size, countRows(first.groups), first.total)
  const hrefOf = (page: number) => at(`/sets/${id}?${query ? `${query}&` : ''}page=${page}`)
  return (
    <>
      {groups.map((group) => (
        <Group
          key={group.set.id}
          group={group}
          isAlone={group.set.id === id && groups.length === 1}
          isWhole={!/(code|team|player|image)=/.test(query)}
          name={name}
        />
      ))}
      {failure && <Failure failure={failure} retry={() => read()} />}
      <div ref={end} />
      {isAlive && first.from === 0 ? (
        <p class="pager" role="status">
          {shown < first.total ? `${sayCount(shown, 'card')} of ${first.total}` : sayCount(first.total, 'card')}
        </p>
      ) : (
        <Pager meta={meta} noun="card" hrefOf={hrefOf} />
      )}
    </>
  )
}

type GroupProps = { group: ChecklistGroup; isAlone: boolean; isWhole: boolean; name: string }

const Group = ({ group: { set, total, rows }, isAlone, isWhole, name }: GroupProps) =>
  isAlone ? (
    <section aria-label={`Cards of ${name}`}>
      <CardRows rows={rows} set={set.id} />
    </section>
  ) : (
    <section class="group">
      <h3 class="line">
        <a href={at(`/sets/${set.id}`)}>{set.name}</a>
        {set.isDraft && <DraftMark />}
        <OfTotal sets={isWhole ? [set.id] : []} total={total} />
      </h3>
      <CardRows rows={rows} set={set.id} />
    </section>
  )

/** How many cards a set lists, and how many of those the reader has, if any. */
const OfTotal = ({ sets, total }: { sets: string[]; total: number }) => {
  const have = useHave(sets, total)
  return <span class="faint">{have ? sayHave(have, total) : sayCount(total, 'card')}</span>
}
