import { expect, test } from 'bun:test'
import manifest from '../../package.json' with { type: 'json' }
import { commands } from '../../src/commands/index.ts'
import { gatherNotices } from '../../src/commands/notices/notices.ts'

test('the notices name all that the program is built of, with the version and the license, and nothing else', async () => {
  const notices = await gatherNotices()
  const titles = [...notices.matchAll(/^(.+)\n-{3,}$/gm)].map(([, title]) => title)
  expect(titles.slice(0, 3)).toEqual(['Cardstock', `Bun ${Bun.version}`, 'PostgreSQL, as part of @electric-sql/pglite'])
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(titles).toContain(`${name} ${version}`)
  // resend is built on it, too.
  const ofBoth = ['standardwebhooks']
  for (const name of Object.keys(manifest.devDependencies).filter((each) => !ofBoth.includes(each)))
    expect(titles.filter((title) => title?.startsWith(`${name} `))).toEqual([])
  expect(notices).toContain('The Regents of the University of California')
  expect(notices).not.toContain('see below')
  expect(notices.match(/Permission is hereby granted, free of charge/g)?.length).toBeGreaterThan(20)
})

test('the command is listed in --help', () => {
  expect(commands['The service']?.map(({ name }) => name)).toContain('licenses')
})
