/** SHA-256 (FIPS 180-4), because what the platforms offer cannot be had without waiting for it. */

/** The fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const ROUNDS = fractions(64, Math.cbrt)
const START = fractions(8, Math.sqrt)

function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const found: number[] = []
  for (let number = 2; found.length < count; number++)
    if (isPrime(number)) found.push(Math.floor((root(number) % 1) * 2 ** 32))
  return Uint32Array.from(found)
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false
  return true
}

/** The hash of a text's UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  // A bit, zeros, and the length in bits make it whole blocks.
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const hash = START.slice()
  const words = new Uint32Array(64)
  for (let at = 0; at < padded.length; at += 64) {
    for (let index = 0; index < 16; index++) words[index] = view.getUint32(at + index * 4)
    mix(hash, words)
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, '0')).join('')
}

function mix(hash: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15]!
    const late = words[index - 2]!
    const one = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const two = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    words[index] = words[index - 16]! + one + words[index - 7]! + two
  }
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g)
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUNDS[index]! + words[index]!) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index++) hash[index] = hash[index]! + mixed[index]!
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
