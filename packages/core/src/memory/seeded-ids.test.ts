import { describe, expect, it } from 'vitest'
import { fixedClock } from './fixed-clock.ts'
import { seededIds } from './seeded-ids.ts'

describe('seeded ids', () => {
  it('are the same for the same seed and times, and differ for another seed', () => {
    const draw = (seed: number) => {
      const ids = seededIds(seed)
      return [ids.next('CONT'), ids.secret(32), ids.next('FOLD')]
    }
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)[0]).not.toBe(draw(2)[0])
  })

  it('are ULIDs that grow with the clock and with each call', () => {
    const clock = fixedClock()
    const ids = seededIds(7, clock)
    const given = Array.from({ length: 200 }, (_, index) => {
      if (index % 50 === 0) clock.advance(1)
      return ids.next('CONT')
    })
    expect(given).toEqual([...new Set(given)].toSorted())
    for (const id of given) expect(id).toMatch(/^CONT_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  })

  it('include secrets that decode to the requested number of bytes', () => {
    const ids = seededIds(7)
    for (const bytes of [16, 17, 18, 32])
      expect(Buffer.from(ids.secret(bytes), 'base64url')).toHaveLength(bytes)
  })
})
