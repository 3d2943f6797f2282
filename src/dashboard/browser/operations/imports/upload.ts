import { Refused, refusalOf } from '../../kit/api.ts'
import { at } from '../../kit/settings.ts'

/**
 * Sends a file as is, with its name, and reports how many bytes are sent, which `fetch` can't do. Throws Refused.
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
    request.onerror = () => reject(new Refused(0, [{ detail: 'The upload was interrupted. Are you online?' }]))
    request.onload = () => {
      const { status, response } = request
      if (status < 300 && response) resolve(response as T)
      else reject(refusalOf(path, status, response, request.getResponseHeader('Retry-After')))
    }
    request.send(file)
  })
