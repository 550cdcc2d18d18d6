import { expect, it } from 'vitest'
import { reservedNames } from './record.ts'

it('no repository has a name that stands beside one in a path', () => {
  for (const word of ['upload', 'zip', 'auto-package', 'events', 'status'])
    expect(reservedNames).toContain(word)
  expect(reservedNames).not.toContain('magazine')
})
