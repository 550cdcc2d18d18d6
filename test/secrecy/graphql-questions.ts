import { known, operandsOf, operators, words } from './question-names.ts'
import type { Question } from './questions.ts'
import { repository as configId } from './world-content.ts'
import { packageNames, sharedPackage } from './world-hidden.ts'

type Input = Question['input']

function asked(query: string, variables: Input = {}): Question {
  return { group: 'graphql', operation: 'execute', input: { configId, query, variables } }
}

const user = '{ userName displayName email }'
const members = `__typename id type name slug description status folderId packageName currentVersion latestVersion
  isPublished isPreview isLatest createdDate updatedDate publishedDate createdByUser ${user} updatedByUser ${user}
  fileExtension originalFileName cardPreview asset { mimeType size hash } renditions { name url size }
  rendition(name: "original", format: "webp") { url } categories { id name taxonomyName }
  versionHistory { version updatedDate updatedByUser ${user} }`
const referred = '{ __typename id name slug ... on Article { title related { id name } guard { id } } }'
const references = `author { id name title } related ${referred} secondCousins ${referred} guard ${referred} picture ${referred}
  subject { id name }`
const wholeArticle = `... on Article { title body price tags extra seo { title } blocks { ... on Article_Blocks_Quote { words } } ${references} }`

const anyItem = (by: string) => `it: item(${by}) { ${members} ${wholeArticle} }`
const allPackages = [...packageNames, sharedPackage]

/** Single items: by id and slug, by version, and in packages. */
function items(ids: readonly string[]): Question[] {
  const all = [...ids, 'CONT_0']
  const slugs = [
    'amber',
    'cedar',
    'umbra',
    'umbra-1',
    'zenith-1',
    'umbra-2',
    'zenith-2',
    'umbra-3',
    'never-umbra',
  ]
  const byId = `query ($id: ID!, $version: String, $package: String) { ${anyItem('id: $id, version: $version, package: $package')} }`
  const bySlug = `query ($slug: String!) { ${anyItem('slug: $slug')} }`
  const versions = ['1', '2', '3', 'latest', 'latestpublished']
  return [
    ...all.map((id) => asked(byId, { id })),
    ...all.flatMap((id) => versions.map((version) => asked(byId, { id, version }))),
    ...all.flatMap((id) => allPackages.map((name) => asked(byId, { id, package: name }))),
    ...slugs.map((slug) => asked(bySlug, { slug })),
    ...all.map((id) =>
      asked(
        'query ($id: ID!) { vault(id: $id) { id } file(id: $id) { id name } author(id: $id) { title } }',
        { id },
      ),
    ),
  ]
}

const memberNames = [
  'id',
  'name',
  'slug',
  'status',
  'folderId',
  'createdDate',
  'updatedDate',
  'publishedDate',
]
const numbers = new Set([
  'createdDate',
  'updatedDate',
  'publishedDate',
  'fields.price',
  'fields.pages',
  'fields.at',
])

/** The names that GraphQL filters by, each with its path in REST. */
const compared = Object.keys(known)
  .filter((path) => path.startsWith('fields.') || memberNames.includes(path))
  .map((path) => ({ path, name: path.replace('fields.', '').replaceAll('.', '_') }))

const list = `query ($filter: Article_Filter, $sort: [Article_Sort!], $limit: Int, $cursor: String, $archived: Boolean) {
  it: articles(filter: $filter, sort: $sort, limit: $limit, cursor: $cursor, archived: $archived) {
    items { id name title related { id } } nextCursor count } }`

function typed(path: string, operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map((one: unknown) => typed(path, one))
  if (numbers.has(path)) return typeof operand === 'string' ? Number(operand) : operand
  return path === 'fields.hot' && typeof operand === 'string' ? operand === 'true' : operand
}

/** Every operator on every name, alone or negated; every sort order, page by page. */
function lists(): Question[] {
  const filters = compared.flatMap(({ name, path }) =>
    operators.flatMap((operator) =>
      operandsOf(path, operator).map((operand) => ({ [name]: { [operator]: typed(path, operand) } })),
    ),
  )
  const sorts = compared.flatMap(({ name }) => [[`${name}_ASC`], [`${name}_DESC`, 'name_ASC']])
  const counts = ['articles', 'authors', 'files', 'vaults'].flatMap((name) => [
    `{ it: ${name} { count } }`,
    `{ it: ${name}(limit: 1) { items { id name } nextCursor count } }`,
  ])
  return [
    ...filters.map((filter, index) => asked(list, { filter: index % 3 === 0 ? { not: filter } : filter })),
    ...sorts.map((sort) => asked(list, { sort, limit: 2 })),
    asked(list, { archived: true }),
    ...counts.map((query) => asked(query)),
    ...['secret', 'only0', 'only1'].flatMap((name) => [
      asked(`{ vaults(filter: { ${name}: { exists: true } }) { count items { ${name} } } }`),
      asked(`{ vaults(sort: ${name}_ASC, limit: 1) { nextCursor } }`),
    ]),
    ...allPackages.map((name) => asked(`{ articles(package: "${name}") { count items { id name } } }`)),
  ]
}

function searches(): Question[] {
  const search =
    'query ($text: String!, $type: String, $limit: Int, $cursor: String) { it: search(text: $text, type: $type, limit: $limit, cursor: $cursor) { items { id name } nextCursor count } }'
  return words.flatMap((text) => [
    asked(search, { text }),
    asked(search, { text, limit: 2 }),
    asked(search, { text, type: 'vault', limit: 1 }),
  ])
}

/** The schema itself, and guesses at it. */
function schemas(): Question[] {
  const types =
    '{ __schema { types { name fields { name } inputFields { name } enumValues { name } possibleTypes { name } } } }'
  const guesses = ['{ vaul { id } }', '{ vaults { items { only secre } } }', '{ articels { count } }']
  return [
    { group: 'graphql', operation: 'schema', input: { configId } },
    asked(types),
    asked('{ __type(name: "Vault") { fields { name } } }'),
    ...guesses.map((query) => asked(query)),
    asked('query ($filter: Article_Filter) { articles(filter: $filter) { count } }', {
      filter: { titel: {} },
    }),
  ]
}

/** All documents without mutations. */
export function graphqlQuestions(ids: readonly string[]): Question[] {
  return [...schemas(), ...items(ids), ...lists(), ...searches()]
}

/** Mutations of items that the caller may not read. None of them may take effect. */
export function graphqlChanges(hidden: readonly string[]): Question[] {
  const verbs = ['delete', 'publish', 'unpublish', 'archive', 'unarchive']
  return [...hidden, 'CONT_0'].flatMap((id) => [
    ...verbs.map((verb) => {
      const wanted = verb === 'delete' ? '' : '{ id name }'
      return asked(`mutation ($id: ID!) { ${verb}Article(id: $id) ${wanted} }`, { id })
    }),
    asked('mutation ($id: ID!) { updateArticle(id: $id, input: { name: "x", baseVersion: 1 }) { id } }', {
      id,
    }),
    asked('mutation ($id: ID!) { updateVault(id: $id, input: { slug: "umbra-1" }) { id } }', { id }),
  ])
}
