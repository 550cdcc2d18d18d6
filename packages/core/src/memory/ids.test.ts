import { decodeTime } from 'ulid'
import { describe, expect, it } from 'vitest'
import { randomIds } from '../adapters/system.ts'

describe('ids', () => {
  it('are a prefix and a ULID of the clock’s time', () => {
    const id = randomIds({ now: () => 1_749_988_800_000 }).next('CONT')
    expect(id).toMatch(/^CONT_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(decodeTime(id.slice(5))).toBe(1_749_988_800_000)
  })

  it('grow in the order of calls, within a millisecond and when the clock steps back', () => {
    const times = [5, 5, 5, 4, 6, 3, 7]
    let call = 0
    const ids = randomIds({ now: () => times[call++ % times.length] ?? 0 })
    const given = Array.from({ length: 50 }, () => ids.next('X'))
    expect(given).toEqual([...new Set(given)].toSorted())
  })

  it('come with distinct secrets of the requested length, in base64url', () => {
    const ids = randomIds({ now: () => 0 })
    const secrets = Array.from({ length: 50 }, () => ids.secret(32))
    expect(new Set(secrets).size).toBe(50)
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/)
  })
})
