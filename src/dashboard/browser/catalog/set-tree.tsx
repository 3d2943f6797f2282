/** @jsxImportSource preact */
import { sayCount } from '../kit/format.ts'
import { at } from '../kit/settings.ts'
import type { SetNode } from './content.ts'
import { DraftMark, kinds, plurals, sayKinds } from './set-list.tsx'

/** The sets below one, grouped by kind, each with its cards, its print run, and what is below it. */
export const SetTree = ({ nodes }: { nodes: SetNode[] }) => (
  <div class="groups">
    {kinds.flatMap((kind) => {
      const own = nodes.filter((node) => node.kind === kind)
      return own.length > 0
        ? [
            <div key={kind}>
              <h3>{plurals[kind]}</h3>
              <Branch nodes={own} />
            </div>,
          ]
        : []
    })}
  </div>
)

const Branch = ({ nodes }: { nodes: SetNode[] }) => (
  <ul class="plain tree">
    {nodes.map((node) => (
      <li key={node.id}>
        <span class="line">
          <a href={at(`/sets/${node.id}`)}>{node.name}</a>
          {node.printRun && <span class="badge">{node.printRun}</span>}
          {node.isDraft && <DraftMark />}
          <span class="faint">{sayCount(node.cards, 'card')}</span>
        </span>
        {node.below.length > 0 && (
          <details>
            <summary>{sayKinds(node.below)}</summary>
            <Branch nodes={node.below} />
          </details>
        )}
      </li>
    ))}
  </ul>
)
