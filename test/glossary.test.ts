import { expect, it } from 'vitest'
import { gone, privateWords } from './private-words.ts'

it('the table of words is read', () => {
  expect(gone.get('line')).toBe('all')
  expect(gone.get('piece')).toBe('types')
  expect(gone.size).toBeGreaterThan(30)
})

it('no name contains a word that is gone', () => {
  expect(privateWords()).toEqual([])
})
