import type { Clock, Ids } from '../ports/index.ts'
import { fixedClock } from './fixed-clock.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const TIME_LETTERS = 10
const TAIL_LETTERS = 16

/**
 * Creates a source of ids that returns the same ids for the same seed and times. The ids are ULIDs
 * of the clock's time. Their seeded tail counts up within and across milliseconds, so ids grow in
 * the order of calls.
 */
export function seededIds(seed: number, clock: Clock = fixedClock()): Ids {
  const random = mulberry32(seed)
  let tail = BigInt(Math.floor(random() * 2 ** 32)) << 32n
  let time = 0
  return {
    next(prefix) {
      time = Math.max(time, clock.now())
      tail += 1n + BigInt(Math.floor(random() * 2 ** 16))
      return `${prefix}_${encode(BigInt(time), TIME_LETTERS)}${encode(tail, TAIL_LETTERS)}`
    },
    secret: (bytes) => secretOf(bytes, random),
  }
}

function encode(value: bigint, letters: number): string {
  const shifts = Array.from({ length: letters }, (_, index) => BigInt(5 * (letters - 1 - index)))
  return shifts.map((shift) => CROCKFORD[Number((value >> shift) & 31n)]).join('')
}

/**
 * As long as the base64url of `bytes` bytes. The unused bits of the last letter are 0, as decoders
 * require.
 */
function secretOf(bytes: number, random: () => number): string {
  const length = Math.ceil((bytes * 8) / 6)
  const spare = length * 6 - bytes * 8
  const letters = Array.from({ length }, () => Math.floor(random() * 64))
  return letters
    .map((letter, index) => (index === length - 1 ? (letter >> spare) << spare : letter))
    .map((letter) => BASE64URL[letter])
    .join('')
}

/** The mulberry32 generator, with 32 bits of state. Suitable for test data only. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
