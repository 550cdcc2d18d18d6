import { expect, it } from 'vitest'
import { smallAscii } from './small-ascii.ts'

it('does not change letters outside ASCII', () => {
  expect(smallAscii('ABC ÄÖÜ')).toBe('abc ÄÖÜ')
})
