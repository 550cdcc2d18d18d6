import { expect, it } from 'vitest'
import { reservedNames } from './record.ts'

it('reserves the words that can take the position of a repository name in a path', () => {
  for (const word of ['upload', 'zip', 'auto-package', 'events', 'status'])
    expect(reservedNames).toContain(word)
  expect(reservedNames).not.toContain('magazine')
})
