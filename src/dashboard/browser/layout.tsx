/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { hasCopy } from './catalog/marks.ts'
import { SearchForm } from './catalog/search-form.tsx'
import { NavLink } from './kit/nav-link.tsx'
import { Notice } from './kit/notice.tsx'
import { usePerson } from './kit/person.tsx'
import { at, settings } from './kit/settings.ts'

/** Pages with their own search. */
const withSearch = ['/', '/search', '/search/syntax']

/** The frame around every page: navigation above, small print below. */
export const Layout = ({ children }: { children: ComponentChildren }) => {
  const { person, hasEnded } = usePerson()
  const { path } = useLocation()
  useEffect(() => {
    if (person || hasCopy()) void import('./collection/sync.ts').then(({ follow }) => follow(person, hasEnded))
  }, [person])
  const hasSearch = (settings.catalogIsPublic || person) && !withSearch.some((one) => path === at(one))
  const places = [
    ...(settings.catalogIsPublic || person
      ? [
          { path: '/sets', label: 'Sets' },
          { path: '/collection', label: 'Collection' },
        ]
      : []),
    ...(person?.operator ? [{ path: '/operations', label: 'Operations' }] : []),
    { path: '/getting-started', label: 'Getting started' },
    { path: '/docs', label: 'API', isOwnPage: true },
    ...(person
      ? [{ path: '/account', label: 'Account' }]
      : [
          { path: '/signin', label: 'Sign in' },
          { path: '/signup', label: 'Sign up' },
        ]),
  ]
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={at('/')}>
          <img src={settings.icon} alt="" width="24" height="24" />
          {settings.title}
        </a>
        {hasSearch && <SearchForm isSmall />}
        <nav aria-label="Main">
          {places.map((place) => (
            <NavLink key={place.path} {...place} />
          ))}
        </nav>
      </header>
      <ElsewhereNotice />
      <div class="content">{children}</div>
      <footer class="bottom">
        <a href={at('/docs')} target="_top">
          API documentation
        </a>
        <a href={at('/openapi.json')} target="_top">
          OpenAPI document
        </a>
      </footer>
    </>
  )
}

/** Warns on any address other than the service's own, since changes made there are refused. */
const ElsewhereNotice = () => {
  const [isElsewhere, setElsewhere] = useState(false)
  useLayoutEffect(() => setElsewhere(location.origin !== settings.origin), [])
  return isElsewhere ? (
    <div class="elsewhere">
      <Notice kind="warning">
        This service’s own address is <a href={settings.origin + at('/')}>{settings.origin + at('/')}</a>. Signing in
        works only there.
      </Notice>
    </div>
  ) : null
}
