import { capital } from '../../lib/capital.ts'
import { palette } from '../../lib/palette.ts'
import type { Message } from '../message.ts'

const { accent, paper, raised, ink, faint, 'on-accent': onAccent } = palette.light

/** The parts of a mail, in order. All of them are plain text. */
type Parts = {
  kind: string
  subject: string
  heading: string
  paragraphs: string[]
  button?: { label: string; link: string }
  /** What to type instead of clicking the button. */
  command?: string
  /** Small print at the bottom. */
  notes?: string[]
}

/** Builds a mail from its parts. Its text and its HTML say the same. */
export const layOut = (brand: string, given: Parts): Message => {
  const parts = { ...given, ...inLines(given) }
  return {
    kind: parts.kind,
    subject: parts.subject,
    ...(parts.button ? { link: parts.button.link } : {}),
    text: asText(brand, parts),
    html: asHtml(brand, parts),
  }
}

/** Parts that may contain a name become one line each, whatever is in the name. */
const inLines = ({ subject, heading, paragraphs }: Parts) => ({
  subject: asLine(subject),
  heading: asLine(heading),
  paragraphs: paragraphs.map(asLine),
})

const asLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

const asText = (brand: string, { heading, paragraphs, button, command, notes = [] }: Parts) =>
  [
    heading,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.link}`] : []),
    ...(command ? [`Or without a browser:\n${command}`] : []),
    ...notes,
    `-- \n${capital(brand)}`,
  ].join('\n\n')

const asHtml = (brand: string, { subject, heading, paragraphs, button, command, notes = [] }: Parts) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:${paper}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${paper}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${card}">
<tr><td style="height:6px;line-height:6px;font-size:0;background:${accent};border-radius:12px 12px 0 0">&nbsp;</td></tr>
<tr><td style="padding:32px 36px 36px">
<p style="margin:0 0 24px;font-size:14px;font-weight:700;letter-spacing:.06em;color:${accent}">${escapeHtml(capital(brand))}</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25;color:${ink}">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n')}
${button ? buttonOf(button) : ''}${command ? commandOf(command) : ''}${notes.map(noteOf).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const card = `max-width:560px;background:${raised};border-radius:12px;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px;line-height:1.55;color:${ink};text-align:left`

const buttonOf = ({ label, link }: { label: string; link: string }) => `<p style="margin:24px 0">
<a href="${escapeHtml(link)}"
style="display:inline-block;padding:12px 22px;border-radius:8px;background:${accent};color:${onAccent};font-weight:600;text-decoration:none"
>${escapeHtml(label)}</a></p>
<p style="${small}">If the button doesn’t work, open this link:<br>
<a href="${escapeHtml(link)}" style="color:${faint};word-break:break-all">${escapeHtml(link)}</a></p>
`

const commandOf = (command: string) => `<p style="${small}">Or without a browser:</p>
<pre style="margin:0 0 16px;padding:12px;border-radius:8px;background:${paper};font-size:12px;white-space:pre-wrap;word-break:break-all">${escapeHtml(command)}</pre>
`

const noteOf = (note: string) => `<p style="${small}">${escapeHtml(note)}</p>`

const small = `margin:0 0 16px;font-size:13px;line-height:1.5;color:${faint}`

/** A day such as `November 24, 2026`, in UTC. */
export const dayOf = (at: Date) =>
  at.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The API call that does the same as a link's page. The link ends in `/{page}#token=…`. */
export const curlOf = (link: string, path: string, type: string, more: Record<string, string> = {}) => {
  const base = link.replace(/\/[^/#]*#.*$/, '')
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
  const document = JSON.stringify({ data: { type, attributes: { token, ...more } } })
  return `curl -X POST ${base}${path} -H 'Content-Type: application/vnd.api+json' -d '${document}'`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text escaped for HTML, including inside quoted attributes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter)
