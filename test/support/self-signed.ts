import { afterAll } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate for a name that only who is given it trusts (`certFile`), and its key. Undefined without openssl, and a line says so. */
export const selfSigned = async (name: string) => {
  if (!Bun.which('openssl')) {
    console.log(`skipped: the certificate of ${name} (needs openssl)`)
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-certificate-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  await Bun.$`openssl req -x509 ${kind} -keyout ${keyFile} -out ${certFile} ${about}`.quiet()
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile }
}
