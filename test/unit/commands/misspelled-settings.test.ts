import { expect, test } from 'bun:test'
import { misspelledSettings, warnOfMisspelled } from '../../../src/commands/settings.ts'
import { openLog } from '../../../src/lib/log.ts'

const meant = (environment: Record<string, string>) =>
  misspelledSettings(environment).map((one) => `${one.name} ${one.meant}`)

test('a variable that differs by a letter or two from a known one is warned of', () => {
  for (const [name, setting] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATBASE_ULR', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['BASEURL', 'BASE_URL'],
    ['APP_SECRETS', 'APP_SECRET'],
    ['APPENV', 'APP_ENV'],
    ['S3_BUCKETT', 'S3_BUCKET'],
    ['LIMIT_SIGNUPS_PER_HOUR', 'LIMIT_SIGNUP_PER_HOUR'],
    ['SHUTDOWN_DELAY_S', 'SHUTDOWN_DELAY_MS'],
    ['PROT', 'PORT'],
    ['BARND', 'BRAND'],
    ['database_url', 'DATABASE_URL'],
  ])
    expect(meant({ [name as string]: 'x' })).toEqual([`${name} ${setting}`])
})

test('a known variable, and what every machine has, is not', () => {
  const usual =
    'HOME HOSTNAME HOSTTYPE HOSTS PORTS POST PATH PWD USER MAIL LOGNAME SHELL LANG TERM DATABASE APP_NAME AWS_REGION http_proxy'
  expect(meant(Object.fromEntries(usual.split(' ').map((name) => [name, 'x'])))).toEqual([])
  expect(meant({ HOST: '::1', PORT: '1', DATABASE_DIRECT_URL: 'x', DATABASE_URL: 'x' })).toEqual([])
})

test('the warning names both variables, never the value', () => {
  const written: string[] = []
  const log = openLog('info', 'json', { write: (text) => written.push(text) })
  warnOfMisspelled(log, { DATABSE_URL: 'postgres://cards:hush@db/cards' })
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', event: 'misspelled setting', name: 'DATABSE_URL', did_you_mean: 'DATABASE_URL' },
  ])
  expect(written.join()).not.toContain('hush')
})
