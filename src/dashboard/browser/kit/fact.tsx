/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

/** A fact under its name in a list of facts, or nothing if it has no value. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) =>
  children ? (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  ) : null

type FactListProps = { facts: (readonly [name: string, value: ComponentChildren])[]; isWide?: boolean }

/** Named facts, without those that have no value. */
export const FactList = ({ facts, isWide }: FactListProps) => (
  <dl class={isWide ? 'facts wide' : 'facts'}>
    {facts.map(([name, value]) => (
      <Fact key={name} name={name}>
        {value}
      </Fact>
    ))}
  </dl>
)
