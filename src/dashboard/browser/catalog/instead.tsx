/** @jsxImportSource preact */
import { Notice } from '../kit/notice.tsx'

/** Says what was searched instead, because nothing matches all of the query. */
export const Instead = ({ words, href }: { words: string; href: string }) => (
  <Notice>
    <p>
      No card matches all of that. These are the cards for <a href={href}>{words}</a>.
    </p>
  </Notice>
)
