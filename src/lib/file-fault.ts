/** What is wrong with a file or folder, to end a sentence. Undefined for an error that isn't about one. */
export const fileFault = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return reasons.get(code)
}

/** The same, or the error's own message. */
export const fileReason = (error: Error): string => fileFault(error) ?? error.message

const reasons = new Map<unknown, string>([
  ['ENOENT', 'there is no such file or folder.'],
  ['ENOTDIR', 'a part of its path is a file, not a folder.'],
  ['EEXIST', 'a file has its name.'],
  ['EISDIR', 'it is a folder.'],
  ['EACCES', 'permission denied.'],
  ['EPERM', 'permission denied.'],
  ['EROFS', 'its file system is read-only.'],
  ['ENOSPC', 'the disk is full.'],
  ['EDQUOT', 'the disk quota is used up.'],
  ['EFBIG', 'it grew too large for its file system.'],
  ['EIO', 'the disk failed to read or write.'],
  ['EMFILE', 'this process has too many files open.'],
  ['ENFILE', 'this machine has too many files open.'],
  ['ENAMETOOLONG', 'its name is too long.'],
  ['ELOOP', 'its links lead in a circle.'],
  ['EBUSY', 'something else is using it.'],
  ['ETXTBSY', 'a program is running from it.'],
])
