/** @jsxImportSource preact */
import { useLocation } from 'preact-iso/router'
import { at } from './settings.ts'

type NavLinkProps = {
  path: string
  label: string
  /** Whether the browser loads it, because it is outside these pages. */
  isOwnPage?: boolean
  /** Whether the pages below its path don't belong to it. */
  isExact?: boolean
}

/** A link of a navigation. It is marked while its page is shown, or one below its path. */
export const NavLink = ({ path, label, isOwnPage, isExact }: NavLinkProps) => {
  const here = useLocation().path
  const isHere = here === at(path) || (!isExact && here.startsWith(`${at(path)}/`))
  return (
    <a href={at(path)} aria-current={isHere ? 'page' : undefined} target={isOwnPage ? '_top' : undefined}>
      {label}
    </a>
  )
}
