import { describe, expect, it } from 'vitest'
import { type Call } from './call.ts'
import { namedTags, requireMatch, requireHeadMatch } from './if-match.ts'

const callWith = (ifMatch: string | undefined) => ({ ifMatch }) as unknown as Call
const head = { id: 'CONT_1', revision: 3, packageId: null }

describe('If-Match', () => {
  it.each([undefined, '*', 'r7', '"r7"', '"r6", "r7"', '"a,b","r7"', 'W/"r6", "r7"'])(
    '%s lets r7 through',
    (tags) => {
      expect(() => requireMatch(callWith(tags), 'r7')).not.toThrow()
    },
  )

  it.each(['r6', '', '"r6", "r8"', 'W/"r7"', '"r6", W/"r7"', '"r", "7"'])('%s does not', (tags) => {
    expect(() => requireMatch(callWith(tags), 'r7')).toThrow(
      expect.objectContaining({ code: 'precondition_failed' }),
    )
  })

  it('matches the head, whatever other names its answer contained', () => {
    for (const tags of ['*', 'CONT_1.3', 'CONT_1.3~names', '"CONT_1.2~x", "CONT_1.3~y"'])
      expect(() => requireHeadMatch(callWith(tags), head)).not.toThrow()
    for (const tags of ['CONT_1.2', 'W/"CONT_1.3"', '"CONT_1.2~x", "CONT_1.33~y"'])
      expect(() => requireHeadMatch(callWith(tags), head)).toThrow(
        expect.objectContaining({ code: 'precondition_failed' }),
      )
  })

  it('is read in linear time, however long it is', () => {
    expect(namedTags('"'.repeat(100_001))).toHaveLength(50_000)
  })
})
