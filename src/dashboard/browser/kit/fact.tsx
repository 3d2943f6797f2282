/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'

/** What is known of something, under its name, in a list of facts; nothing where it is not known. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) =>
  children ? (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  ) : null
