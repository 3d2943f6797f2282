/** SHA-256 of what comes in pieces, which Web Crypto can't do. */
export class Sha256 {
  readonly #state = new Int32Array(initial)
  readonly #block = new Uint8Array(64)
  readonly #words = new Int32Array(64)
  #length = 0

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const filled = this.#length % 64
      const taken = Math.min(64 - filled, bytes.length - at)
      this.#block.set(bytes.subarray(at, at + taken), filled)
      this.#length += taken
      at += taken
      if (filled + taken === 64) this.#mix()
    }
  }

  /** The checksum in lowercase. Nothing can be added behind it. */
  hex(): string {
    const bits = this.#length * 8
    this.update(Uint8Array.of(0x80, ...new Uint8Array((119 - (this.#length % 64)) % 64)))
    const end = new DataView(new ArrayBuffer(8))
    end.setUint32(0, Math.floor(bits / 2 ** 32))
    end.setUint32(4, bits >>> 0)
    this.update(new Uint8Array(end.buffer))
    return [...this.#state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  #mix(): void {
    const [w, block, state] = [this.#words, this.#block, this.#state]
    for (let i = 0; i < 16; i++)
      w[i] =
        (at(block, i * 4) << 24) | (at(block, i * 4 + 1) << 16) | (at(block, i * 4 + 2) << 8) | at(block, i * 4 + 3)
    for (let i = 16; i < 64; i++) {
      const [x, y] = [at(w, i - 15), at(w, i - 2)]
      const small = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)
      w[i] = at(w, i - 16) + small + at(w, i - 7) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))
    }
    let a = at(state, 0)
    let b = at(state, 1)
    let c = at(state, 2)
    let d = at(state, 3)
    let e = at(state, 4)
    let f = at(state, 5)
    let g = at(state, 6)
    let h = at(state, 7)
    for (let i = 0; i < 64; i++) {
      const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(constants, i) + at(w, i)
      const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    const sums = [a, b, c, d, e, f, g, h]
    for (let i = 0; i < 8; i++) state[i] = at(state, i) + (sums[i] as number)
  }
}

const at = (list: Int32Array | Uint8Array, i: number) => list[i] as number

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by))

const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n)
  return found
}

/** The first 32 bits of the fraction. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0

const initial = primes(8).map((prime) => fraction(Math.sqrt(prime)))
const constants = new Int32Array(primes(64).map((prime) => fraction(Math.cbrt(prime))))
