import { expect, it } from 'vitest'
import { smallAscii } from './small-ascii.ts'

it('leaves letters beyond ASCII alone', () => {
  expect(smallAscii('ABC ÄÖÜ')).toBe('abc ÄÖÜ')
})
