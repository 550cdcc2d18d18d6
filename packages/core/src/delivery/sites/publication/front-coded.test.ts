import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromFrontCoded, toFrontCoded } from './compact.ts'

it('stores how much each text shares with the previous one', () => {
  expect(toFrontCoded(['', 'news', 'news/spring', 'newt'])).toEqual([0, '', 0, 'news', 4, '/spring', 3, 't'])
})

it('decodes to the same texts', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { maxLength: 20 }), (texts) => {
      expect(fromFrontCoded(JSON.parse(JSON.stringify(toFrontCoded(texts))))).toEqual(texts)
    }),
  )
})

it.for<unknown[]>([[0], ['a', 0], [0, 'a', 2, 'b'], [-1, 'a'], [0.5, 'a'], [0, 1]])(
  'takes no list of something else: %j',
  (coded) => {
    expect(fromFrontCoded(coded)).toBeNull()
  },
)
