import { dlopen, type FFIFunction } from 'bun:ffi'

const names = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`, 'libSystem.B.dylib']

/** Opens functions of this system's C library. */
export const openLibc = <T extends Record<string, FFIFunction>>(functions: T) => {
  for (const name of names)
    try {
      return dlopen(name, functions).symbols
    } catch {
      // Not this system's C library: the next name may be.
    }
  throw new Error(`No C library with ${Object.keys(functions).join(', ')} was found.`)
}
