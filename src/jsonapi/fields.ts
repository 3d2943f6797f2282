import { FormatRegistry, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { isEmail } from '../lib/email.ts'
import { isPassword } from '../lib/password.ts'
import { sizes } from '../limits.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is a UUID of any version. */
export const isUuid = (value: string) => uuidForm.test(value)
/** Whether a value is an id: a text that is a UUID. */
export const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value)

/** Whether a text is a date: `2026-11-21`. */
export const isDate = (value: string) => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000')) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

const firstTime = Date.parse('0001-01-01T00:00:00.000Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Whether milliseconds since 1970 fall into the years 1 to 9999 in UTC, the only ones that can be written. An offset can push a
 * time out of them.
 */
export const isInYears = (time: number) => time >= firstTime && time <= lastTime

const timeForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i

/** Whether a text is an RFC 3339 time: `2026-11-21T12:00:00Z`. */
export const isTime = (value: string) => isDate(timeForm.exec(value)?.[1] ?? '') && isInYears(Date.parse(value))

// URL.canParse ignores line breaks and tabs, but a URL that is stored as sent must not have any.
const isUrl = (value: string) => URL.canParse(value) && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value)

FormatRegistry.Set('uuid', isUuid)
FormatRegistry.Set('date', isDate)
FormatRegistry.Set('date-time', isTime)
FormatRegistry.Set('uri', isUrl)
FormatRegistry.Set('email', isEmail)
FormatRegistry.Set('password', isPassword)

/** C0, DEL, C1, and the separators of lines and paragraphs, which a single line can't have. For use in a character class. */
const control = '\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029'
const linePattern = `^[^${control}]*$`
const namePattern = `^[^\\S${control}]*[^\\s${control}][^${control}]*$`
/** The patterns of single-line texts. */
export const linePatterns: readonly string[] = [linePattern, namePattern]

/** Whether a schema is that of a single-line text, or of one that may be null. */
export const isLine = ({ pattern, anyOf }: TSchema): boolean =>
  linePatterns.includes(pattern) || Boolean(anyOf?.some(isLine))

/** A text of up to `maximum` characters (code points). */
export const text = (maximum: number = sizes.text.most) => Type.String({ maxLength: maximum })
/** A single-line text, such as a title, a number or a label. */
export const line = (maximum: number = sizes.text.most) => Type.String({ maxLength: maximum, pattern: linePattern })
/** A single-line name or code, which must not be blank. */
export const name = (maximum: number = sizes.text.most) =>
  Type.String({ minLength: 1, maxLength: maximum, pattern: namePattern })
/** A list of names, each a single line and not blank. */
export const names = () => Type.Array(name())
/** A description or notes. */
export const longText = () => text(sizes.longText.most)
/** Also accepts null. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** May be left out. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
/** A UUID. Whether it names something that exists is checked elsewhere. */
export const uuid = () => Type.String({ format: 'uuid' })
/** A day: `2026-11-21`. */
export const date = () => Type.String({ format: 'date' })
/** A time: RFC 3339 in UTC with milliseconds. */
export const time = () => Type.String({ format: 'date-time' })
/** A URL in a response, of any length. */
export const link = () => Type.String({ format: 'uri' })
/** An http or https URL. */
export const url = () => Type.String({ format: 'uri', maxLength: 2048 })
/** An e-mail address. */
export const email = () => Type.String({ format: 'email' })
/** A new password. */
export const password = () =>
  Type.String({
    format: 'password',
    description: `${sizes.password.least} to ${sizes.password.most} characters.`,
    writeOnly: true,
  })
/** A hex color: `#C81E1E`. */
export const hexColor = () =>
  Type.String({
    title: 'a hex color such as #C81E1E',
    pattern: '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$',
  })
/** One of a few words. */
export const oneOf = (values: string[]) => Type.Unsafe<string>({ ...Type.String(), enum: values })
/** A whole number from `minimum` to `maximum`, both included. */
export const integer = (minimum?: number, maximum?: number) =>
  Type.Integer({ ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) })
/** True or false. The texts `true` and `false` aren't accepted. */
export const boolean = () => Type.Boolean()

/** Fields that are shown as they are written. `create` are those of a new record; a change may leave out any of them. */
export const asWritten = (create: TProperties) => ({
  read: Type.Required(Type.Object(create)).properties,
  create,
  update: Type.Partial(Type.Object(create)).properties,
})

/** The schemas of fields in responses. Older texts, and those from a mirror's source, may have several lines. */
export const asKept = (fields: TProperties): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, keptField(schema)]))

const keptField = (schema: TSchema): TSchema => {
  const { pattern, ...rest } = schema
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(keptField) }
  return linePatterns.includes(pattern) ? (rest as TSchema) : schema
}
