/** A bit for each of some small numbers, up to the last one that is on. */
export type Bits = { put: (no: number, isOn: boolean) => void; all: () => Uint8Array }

/** Starts with no bit on. */
export const newBits = (): Bits => {
  let bytes = new Uint8Array(64)
  return {
    put: (no, isOn) => {
      if (no >> 3 >= bytes.length) {
        const more = new Uint8Array(2 * (no >> 3))
        more.set(bytes)
        bytes = more
      }
      const bit = 1 << (no & 7)
      const byte = bytes[no >> 3] as number
      bytes[no >> 3] = isOn ? byte | bit : byte & ~bit
    },
    all: () => bytes.subarray(0, 1 + bytes.findLastIndex((byte) => byte > 0)),
  }
}

/** Bits for the numbers of some sets. */
export const bitsOf = (sets: Iterable<{ no: number }>): Uint8Array => {
  const bits = newBits()
  for (const { no } of sets) bits.put(no, true)
  return bits.all()
}
