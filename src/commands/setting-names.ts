import { type Environment, readConfig } from '../config.ts'

/** The name of every setting that is read, those too that only a bucket asks for. */
export const settingNames = (): string[] => {
  const names = new Set<string>()
  const look = (_: object, name: string) => {
    names.add(name)
    return name === 'S3_BUCKET' ? 'cards' : undefined
  }
  readConfig(new Proxy({}, { get: look }) as Environment)
  return [...names]
}
