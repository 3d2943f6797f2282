/** @jsxImportSource preact */
import { useMemo } from 'preact/hooks'
import { at } from '../kit/settings.ts'
import type { CardRow, Entry, Ref } from './content.ts'
import { setOf, Ticks, useMark } from './ticks.tsx'

/** Rows per block and per stretch. Browsers skip layout for blocks out of sight, and for whole stretches far away. */
const blockSize = 10
const stretchSize = 200

/** Cards, and the set that all of them are in, if there is one. */
type RowsProps = { rows: CardRow[]; set?: string }

/** Cards as rows. Each is one link to its card, but for its last links and the buttons of the reader's collection. */
export const CardRows = ({ rows, set }: RowsProps) => <>{cut(rows, stretchSize, set)}</>

const cut = (rows: CardRow[], size: number, set?: string) =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, place) => {
    const own = rows.slice(place * size, (place + 1) * size)
    return <Piece key={own[0]?.id} rows={own} size={size} set={set} />
  })

/** A stretch of blocks, or a block of rows. It is drawn again only if its rows change, not when rows are added after it. */
const Piece = ({ rows, size, set }: RowsProps & { size: number }) =>
  useMemo(() => {
    const full = rows.length === size ? ' full' : ''
    if (size === stretchSize) return <div class={`stretch${full}`}>{cut(rows, blockSize, set)}</div>
    return (
      <ol class={`card-rows${full}`}>
        {rows.map((card) => (
          <Row key={card.id} card={card} set={setOf(card, set)} />
        ))}
      </ol>
    )
  }, [rows.length, rows[0], rows.at(-1)])

type CardProps = { card: CardRow; set: string }

const Row = ({ card, set }: CardProps) => {
  const mark = useMark(set, card)
  return (
    <li class="card-row" data-mark={mark}>
      <Thumb card={card} />
      <ToCard card={card} />
      {card.set ? (
        <span class="what two">
          <What card={card} />
          <SetPath path={card.set} />
        </span>
      ) : (
        <What card={card} />
      )}
      <Ticks set={set} card={card} mark={mark} />
    </li>
  )
}

const What = ({ card }: { card: CardRow }) => (
  <span class="what line">
    <span class="who">{[card.on.map(({ name }) => name).join(' / '), card.title].filter(Boolean).join(' · ')}</span>
    <Marks card={card} />
    <Teams on={card.on} />
    <Players on={card.on} />
  </span>
)

type Subjects = Pick<CardRow, 'on'>

const Teams = ({ on }: Subjects) =>
  on.map(
    ({ player, team }, place) =>
      team && (
        <a key={place} class="subject" href={at(`/teams/${team.id}`)} aria-label={`${team.name}, team`}>
          {player ? team.name : 'Team'}
        </a>
      ),
  )

/** Links to players, whose names the row has in its link to the card. */
const Players = ({ on }: Subjects) => {
  const players = on.filter(({ player }) => player)
  if (players.length === 0) return null
  return (
    <span class="players">
      {players.map(({ name, player }, place) => (
        <a key={place} class="subject" href={at(`/players/${player}`)} aria-label={`${name}, player`}>
          {players.length > 1 ? name : 'Player'}
        </a>
      ))}
    </span>
  )
}

/** A card's picture, or a blank placeholder. */
export const Thumb = ({ card: { picture, number } }: { card: CardRow }) =>
  picture ? (
    <img class="thumb" src={picture.url} width={picture.width} height={picture.height} alt="" loading="lazy" />
  ) : (
    <span class="thumb none" data-number={number} />
  )

/** The link to a card covers its row. Screen readers read the card's name. Its visible text is the number. */
const ToCard = ({ card: { id, name, number } }: { card: CardRow }) => (
  <a class="to-card" href={at(`/cards/${id}`)} aria-label={name}>
    {number ?? '–'}
  </a>
)

/** The players and teams on a card, each linked to its page. */
export const OnCard = ({ on }: Pick<CardRow, 'on'>) => (
  <span class="on">
    {on.map((entry, place) => (
      <span key={place}>
        {place > 0 && ' / '}
        <OnCardEntry entry={entry} />
      </span>
    ))}
  </span>
)

const OnCardEntry = ({ entry: { name, player, team } }: { entry: Entry }) => {
  if (!player) return team ? <a href={at(`/teams/${team.id}`)}>{team.name}</a> : <span>{name}</span>
  return (
    <>
      <a href={at(`/players/${player}`)}>{name}</a>
      {team && (
        <>
          {' '}
          <a class="faint" href={at(`/teams/${team.id}`)}>
            {team.name}
          </a>
        </>
      )}
    </>
  )
}

/** A card's codes, and its print run. */
export const Marks = ({ card: { codes, serial } }: { card: CardRow }) => (
  <>
    {codes.map(({ code, name }) => (
      <abbr key={code} class="badge" title={name}>
        {code}
      </abbr>
    ))}
    {serial && <span class="badge">{serial}</span>}
  </>
)

/** The path from the root to a set, as one link to the set. */
export const SetPath = ({ path }: { path: Ref[] }) => {
  const set = path.at(-1)
  return set ? (
    <a class="of faint" href={at(`/sets/${set.id}`)}>
      {path.map(({ name }) => name).join(' › ')}
    </a>
  ) : null
}

/** Cards as pictures with their names below. */
export const CardGrid = ({ rows }: { rows: CardRow[] }) => (
  <ul class="card-grid">
    {rows.map((card) => (
      <li key={card.id}>
        <a href={at(`/cards/${card.id}`)}>
          <Thumb card={card} />
          <span>{card.name}</span>
        </a>
        {card.set && <SetPath path={card.set} />}
        <CardTicks card={card} />
      </li>
    ))}
  </ul>
)

/** The buttons of a card that knows its set. */
export const CardTicks = ({ card, isLarge }: { card: CardRow; isLarge?: boolean }) => {
  const set = setOf(card)
  return <Ticks set={set} card={card} mark={useMark(set, card)} isLarge={isLarge} />
}
