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
