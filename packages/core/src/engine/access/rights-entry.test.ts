import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRightsEntry, rightsEntryText } from './grants.ts'

const word = fc.stringMatching(/^[^:@\s]{1,12}$/)
const entry = fc.record({
  repositoryId: word,
  type: fc.option(word),
  locale: fc.option(fc.constantFrom('de', 'de-CH', 'zh-Hant-TW', 'en')),
})

it('reads back what it writes', () => {
  fc.assert(
    fc.property(entry, (named) => {
      expect(parseRightsEntry(rightsEntryText(named))).toEqual(named)
    }),
  )
})

it.each([
  ['REPO_1', { repositoryId: 'REPO_1', type: null, locale: null }],
  ['REPO_1:article', { repositoryId: 'REPO_1', type: 'article', locale: null }],
  ['REPO_1@de', { repositoryId: 'REPO_1', type: null, locale: 'de' }],
  ['REPO_1:article@DE-ch', { repositoryId: 'REPO_1', type: 'article', locale: 'de-CH' }],
])('reads %s', (text, named) => expect(parseRightsEntry(text)).toEqual(named))

it.each([
  '',
  ':article',
  'REPO_1:',
  'REPO_1@',
  'REPO_1:a:b',
  'REPO_1@de@en',
  'REPO_1@de:article',
  'R@d',
  'R@de_CH',
])('refuses "%s"', (text) => expect(parseRightsEntry(text)).toBeNull())
