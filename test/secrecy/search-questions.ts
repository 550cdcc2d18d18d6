import fc from 'fast-check'
import { names, words } from './question-names.ts'
import { combinedMembers, filters, type Question } from './questions.ts'
import { repository as configId } from './world-content.ts'
import { packageNames, sharedPackage } from './world-hidden.ts'

type Input = Question['input']

/** Each filter in one of its forms: alone, combined with another, or negated. */
function nestedFilters(): Input[] {
  return filters().map(({ filter, ...rest }, index) => {
    const nested = [
      filter,
      { or: [filter, { type: 'nothing' }] },
      { not: filter },
      { not: { and: [filter] } },
    ]
    return { ...rest, filter: nested[index % nested.length] }
  })
}

function facetsAndWords(): Input[] {
  return [
    ...names.map((name) => ({ facets: [name] })),
    ...['categories', 'folderId', 'type', 'status', 'fields.title', 'fields.related'].flatMap((name) =>
      ['umbra', 'body', 'crimson', undefined].map((text) => ({ facets: [name], facetLimit: 2, text })),
    ),
    ...words.flatMap((text) => [
      { text },
      { text, limit: 1 },
      { text, limit: 2, skipCount: true },
      { text, limit: 50, highlight: true },
      { text, sort: 'name', limit: 2, highlight: true, facets: ['type', 'categories'] },
    ]),
  ]
}

function lists(): Input[] {
  return [
    ...names.flatMap((name) => [
      { sort: name, limit: 2 },
      { select: [name] },
      { include: [name], type: 'article' },
    ]),
    ...['article', 'vault', 'file', 'nothing'].map((type) => ({ type, facets: ['type'], text: 'body' })),
    ...['x', 'e30', Buffer.from('[1,2]').toString('base64url')].map((cursor) => ({ text: 'body', cursor })),
    { archived: true, facets: ['status'] },
    {},
  ]
}

const facet = fc.constantFrom('type', 'status', 'categories', 'folderId', 'fields.tags', 'fields.price')
const combined: fc.Arbitrary<Input> = fc.record(
  { ...combinedMembers, facets: fc.uniqueArray(facet, { maxLength: 3 }), highlight: fc.constant(true) },
  { requiredKeys: ['limit'] },
)
const combinations = { seed: 20_261_208, numRuns: 300 }

/** All queries, sent directly and saved, on main and in packages. */
export function searchQuestions(): Question[] {
  const inputs = [...nestedFilters(), ...facetsAndWords(), ...lists(), ...fc.sample(combined, combinations)]
  const inPackages = [...packageNames, sharedPackage].flatMap((packageName) =>
    ['umbra', 'body'].map((text) => ({ packageName, text, facets: ['folderId', 'categories'] })),
  )
  return [
    ...[...inputs, ...inPackages].map((input) => asked('run', input)),
    ...savedRuns().map((input) => asked('runSaved', input)),
    { group: 'savedQueries', operation: 'list', input: { configId } },
    { group: 'savedQueries', operation: 'get', input: { configId, name: 'words' } },
  ]
}

function savedRuns(): Input[] {
  return [
    ...words.map((text) => ({ name: 'words', parameters: { words: text }, limit: 2 })),
    ...['0', '6', '1e3', 'x'].map((least) => ({ name: 'numbers', parameters: { least }, limit: 1 })),
    { name: 'secrets' },
    { name: 'nothing' },
  ]
}

function asked(operation: 'run' | 'runSaved', input: Input): Question {
  return { group: 'queries', operation, input: { configId, ...input } }
}
