import { expect, it } from 'vitest'
import { plural } from './names.ts'

it.each([
  ['article', 'articles'],
  ['category', 'categories'],
  ['day', 'days'],
  ['box', 'boxes'],
  ['news', 'newses'],
  ['branch', 'branches'],
])('makes %s plural as %s', (one, many) => expect(plural(one)).toBe(many))
