import { type Fault, Refused } from '../kit/api.ts'
import { at } from '../kit/settings.ts'

/**
 * Sends a file as it is, with its name, and tells how many of its bytes are sent: what `fetch` cannot. Throws Refused.
 */
export const upload = <T>(path: string, file: File, onProgress: (sent: number) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', at(path))
    request.responseType = 'json'
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader(
      'Content-Disposition',
      `attachment; filename*=UTF-8''${encodeURIComponent(file.name.toWellFormed())}`,
    )
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onerror = () => reject(new Refused(0, [{ detail: 'The upload broke off. Are you online?' }]))
    request.onload = () => {
      if (request.status < 300) return resolve(request.response as T)
      const { errors } = (request.response ?? {}) as { errors?: Fault[] }
      reject(new Refused(request.status, errors ?? [{ detail: `The service answered ${request.status}.` }]))
    }
    request.send(file)
  })
