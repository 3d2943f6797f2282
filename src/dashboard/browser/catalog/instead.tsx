/** @jsxImportSource preact */
import { Notice } from '../kit/notice.tsx'

/** What a search was taken for, where nothing has all of it. */
export const Instead = ({ words, href }: { words: string; href: string }) => (
  <Notice>
    <p>
      No card matches all of it. These are the cards for <a href={href}>{words}</a>.
    </p>
  </Notice>
)
