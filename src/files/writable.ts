import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileReason } from '../lib/file-fault.ts'

/** Why a file can't be written at a path, to end a sentence. Undefined if it looks as if it can. */
export const whyUnwritable = async (path: string): Promise<string | undefined> => {
  try {
    const found = await find(path)
    if (found?.isDirectory()) return 'it is a folder.'
    const folder = dirname(path)
    if (!found && !(await find(folder))?.isDirectory()) return `there is no folder ${folder}.`
    await access(found ? path : folder, constants.W_OK)
    return undefined
  } catch (error) {
    return fileReason(error as Error)
  }
}

const find = (path: string) =>
  stat(path).catch((error) => {
    if (!['ENOENT', 'ENOTDIR'].includes(error.code)) throw error
  })
