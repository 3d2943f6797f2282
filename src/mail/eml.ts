import type { Mail } from './message.ts'

/** A mail as a file (RFC 5322) that you can read as is: first the text, then the same as HTML. */
export const renderEml = ({ id, to, from, message, now }: Mail): string => {
  const boundary = `part-${id}`
  const part = (type: string, body: string) => [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: 8bit',
    '',
    body.replace(/\r\n?/g, '\n').trimEnd(),
    '',
  ]
  const lines = [
    header('Date', now.toUTCString().replace('GMT', '+0000')),
    header('From', from),
    header('To', to),
    header('Subject', message.subject),
    header('Message-ID', `<${id}@${from.split('@').at(-1)?.replace('>', '')}>`),
    header('X-Kind', message.kind),
    ...(message.link ? [header('X-Link', message.link)] : []),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    ...part('text/plain', message.text),
    ...part('text/html', message.html),
    `--${boundary}--`,
    '',
  ]
  return lines.join('\n').replaceAll('\n', '\r\n')
}

/** One header line, even if the value has line breaks. */
const header = (name: string, value: string) => {
  const line = value.replace(/\p{Cc}+/gu, ' ').trim()
  return `${name}: ${isAscii(line) ? line : line.replace(/[^<>]*\P{ASCII}[^<>]*/gu, encoded)}`
}

const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/** Non-ASCII words encoded per RFC 2047, split into parts short enough for it. */
const encoded = (text: string) => {
  const parts: string[] = []
  for (const letter of text.trim()) {
    const last = parts.at(-1) ?? ''
    if (parts.length > 0 && Buffer.byteLength(last + letter) <= 45) parts[parts.length - 1] = last + letter
    else parts.push(letter)
  }
  return `${parts.map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')}${text.endsWith(' ') ? ' ' : ''}`
}
