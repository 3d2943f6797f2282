import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { settingNames } from '../../src/settings.ts'
import { kitVariables, kitYaml } from '../support/kit.ts'

type Compose = { services: { cardstock: { environment: Record<string, string> } } }

/** The variables that the service gets, with their secrets filled in as the files say. */
const kits: Record<string, () => Record<string, string>> = {
  'cardstock.service': () => kitVariables('cardstock.env'),
  compose: () => {
    const given = filled(kitVariables('compose.env.example'))
    const { environment } = kitYaml<Compose>('compose.yaml').services.cardstock
    const values = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):\?\}/g, (_, variable) => given[variable] ?? ''),
    ])
    return Object.fromEntries(values)
  },
  kubernetes: () => ({
    ...kitYaml<{ data: Record<string, string> }>('kubernetes/settings.yaml').data,
    ...kitYaml<{ stringData: Record<string, string> }>('kubernetes/secret.example.yaml').stringData,
  }),
}

const filled = (variables: Record<string, string>) =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value || 'f'.repeat(32)]))

describe.each(Object.keys(kits))('the settings of %s', (kit) => {
  const given = kits[kit]?.() ?? {}

  test('are settings of the service', () => {
    const known = settingNames()
    expect(Object.keys(given).filter((name) => !known.includes(name))).toEqual([])
  })

  test('start a service in production once the secrets are filled in', () => {
    const config = readConfig(filled(given))
    expect(config.appEnv).toBe('production')
    expect(config.baseUrl).toBe('https://cards.example.org')
    expect(config.trustedProxies).not.toBeEmpty()
    expect(config.shutdownDelayMilliseconds).toBeGreaterThan(10_000)
    expect(config.metricsToken).not.toBeEmpty()
  })

  test('start none while APP_SECRET is empty', () => {
    expect(() => readConfig({ ...filled(given), APP_SECRET: '' })).toThrow('APP_SECRET is not set')
  })
})

test('the files come without secrets', () => {
  const files = [kitVariables('cardstock.env'), kitVariables('compose.env.example'), kits.kubernetes?.() ?? {}]
  const secrets = files.flatMap((variables) =>
    Object.entries(variables).filter(([name]) => /SECRET|TOKEN|PASSWORD$|KEY_ID$/.test(name)),
  )
  expect(secrets.length).toBeGreaterThan(8)
  expect(secrets.filter(([, value]) => value !== '')).toEqual([])
})
