import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asked,
  differenceOf,
  orCode,
  principalOf,
  schemaFor,
  seesBranch,
  upperFirst,
  type GraphSender,
} from './graphql-sender.ts'
import { conditionsIn, nested, sortsIn, type Condition } from './graphql-comparisons.ts'
import { expectedItem, openRest, restItem, type Rest } from './graphql-rest.ts'
import { everyField, listsIn, withFragments, type Schema } from './graphql-schema.ts'
import { canaries, openGraphqlWorld, principalNames, type GraphqlWorld } from './graphql-world.ts'
import { words } from './question-names.ts'
import { repository as configId } from './world-content.ts'
import { sharedPackage } from './world-hidden.ts'

let opened: GraphqlWorld

beforeAll(async () => {
  opened = await openGraphqlWorld()
})
afterAll(() => opened.world.quire.close())

// About 5 s on two idle cores.
const timeout = 60_000
// No list here has more pages. More would mean that the cursors form a cycle.
const mostPages = 40

/** A page in the form that both APIs are compared by: its ids in their order. */
type Page =
  | { readonly ids: readonly string[]; readonly nextCursor: string | null; readonly count: number | null }
  | { readonly code: string }

interface Listed {
  readonly rest: Rest
  readonly type: string
  readonly asking: GraphSender
}

/** The list queries for all types in the principal's schema. */
async function listsOf(rest: Rest): Promise<{ schema: Schema; lists: readonly Listed[] }> {
  const schema = await schemaFor(opened, rest.caller)
  const lists = listsIn(schema).map(({ list, object }) => {
    const given = 'filter: $filter, sort: $sort, limit: $limit, cursor: $cursor, archived: $archived'
    const variables = `$filter: ${object}_Filter, $sort: [${object}_Sort!], $limit: Int, $cursor: String, $archived: Boolean`
    const query = `query (${variables}) { it: ${list}(${given}) { items { id } nextCursor count } }`
    const type = [...rest.types.keys()].find((name) => upperFirst(name) === object) ?? ''
    return { rest, type, asking: { rest, query } }
  })
  return { schema, lists }
}

type Given = Readonly<Record<string, unknown>>

async function graphPage(asking: GraphSender, variables: Given): Promise<Page> {
  const { it, codes } = await asked(asking, variables as Parameters<typeof asked>[1])
  if (codes) return { code: codes.join() }
  // The result has the shape of the query.
  const { items, nextCursor, count } = it as { items: { id: string }[]; nextCursor: string; count: number }
  return { ids: items.map(({ id }) => id), nextCursor, count }
}

async function restPage({ rest, type }: Listed, given: Given): Promise<Page> {
  const { caller, packageName } = rest
  const { items, published } = caller.api
  const input = { configId, type, ...given }
  const found = await orCode(() =>
    caller.isPublic
      ? published.items(input)
      : items.list({ ...input, ...(packageName !== undefined && { packageName }) }),
  )
  return pageOf(found)
}

/** The compared parts of a REST list. */
interface RestList {
  readonly items: readonly { readonly id: string }[]
  readonly nextCursor?: string | undefined
  readonly count?: number | undefined
}

function pageOf(found: RestList | { readonly code: string }): Page {
  if ('code' in found) return found
  const { items, nextCursor = null, count = null } = found
  return { ids: items.map(({ id }) => id), nextCursor, count }
}

/** All pages that differ, up to the last one. */
async function differingPages(listed: Listed, [inGraph, inRest]: readonly [Given, Given]): Promise<object[]> {
  const differing: object[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < mostPages; pages += 1) {
    const more: Given = cursor === null ? {} : { cursor }
    const expected = await restPage(listed, { ...inRest, ...more })
    const answer = await graphPage(listed.asking, { ...inGraph, ...more })
    differing.push(...differenceOf([listed.type, inGraph, pages], expected, answer))
    cursor = 'nextCursor' in expected ? expected.nextCursor : null
    if (cursor === null) return differing
  }
  return [...differing, { what: inGraph, answer: 'no end' }]
}

const branches = [
  ['main', undefined],
  ['a package', sharedPackage],
] as const

describe.each(branches)('GraphQL on %s', (_branch, packageName) => {
  const all = principalNames.filter((name) => seesBranch({ name }, packageName))

  it.each(all)(
    'lists for the %s what REST lists, in the same order, page by page',
    { timeout },
    async (name) => {
      const rest = await openRest(opened.system, principalOf(opened, name), packageName)
      const { schema, lists } = await listsOf(rest)
      const differing: object[] = []
      for (const listed of lists) {
        const { fields = [] } = rest.types.get(listed.type) ?? {}
        for (const [order, sort] of sortsIn(schema, upperFirst(listed.type), fields))
          differing.push(
            ...(await differingPages(listed, [
              { sort: [order], limit: 3 },
              { sort, limit: 3 },
            ])),
          )
        for (const given of [{}, { archived: true }, { limit: 1 }]) {
          // Public lists have no `archived` option, so it is ignored.
          const inRest = rest.caller.isPublic && 'archived' in given ? {} : given
          differing.push(...(await differingPages(listed, [given, inRest])))
        }
      }
      expect(differing).toEqual([])
      expect(lists.length > 0).toBe(name !== 'reader of folders only')
    },
  )

  it.each(all)('filters for the %s as REST does', { timeout }, async (name) => {
    const rest = await openRest(opened.system, principalOf(opened, name), packageName)
    const { schema, lists } = await listsOf(rest)
    const differing: object[] = []
    for (const listed of lists) {
      const { fields = [] } = rest.types.get(listed.type) ?? {}
      for (const [index, { inGraph, inRest }] of conditionsIn(
        schema,
        upperFirst(listed.type),
        fields,
      ).entries()) {
        differing.push(...(await differingPages(listed, [{ filter: inGraph }, { filter: inRest }])))
        if (!rest.caller.isPublic)
          differing.push(...(await differingQuery(listed, { inGraph, inRest }, index)))
      }
    }
    expect(differing).toEqual([])
  })

  it.each(all)('gives the %s every field of listed items', async (name) => {
    const rest = await openRest(opened.system, principalOf(opened, name), packageName)
    const schema = await schemaFor(opened, rest.caller)
    for (const { list, object } of listsIn(schema)) {
      const fields = everyField(schema, object, 0)
      const query = withFragments(schema, `{ it: ${list}(limit: 20, sort: id_ASC) { items { ${fields} } } }`)
      const type = object.charAt(0).toLowerCase() + object.slice(1)
      const page = await restPage({ rest, type, asking: { rest, query } }, { limit: 20, sort: 'id' })
      const ids = 'ids' in page ? page.ids : []
      const items = await Promise.all(ids.map(async (id) => expectedItem(rest, await restItem(rest, id), 0)))
      expect(await asked({ rest, query }, {})).toEqual({ it: { items } })
    }
  })
})

/** The same within `and`, `or` and `not`, which queries support. */
async function differingQuery(
  { rest, type, asking }: Listed,
  condition: Condition,
  index: number,
): Promise<object[]> {
  const { caller, packageName } = rest
  const none = { name: { eq: 'no such name' } }
  const input = { configId, type, limit: 50, sort: 'id', ...(packageName !== undefined && { packageName }) }
  const filter = nested(condition.inRest, none, index)
  const found = await orCode(() => caller.api.queries.run({ ...input, filter } as typeof input))
  const expected = pageOf(found)
  const inGraph = nested(condition.inGraph, none, index)
  const answer = await graphPage(asking, { filter: inGraph, limit: 50, sort: ['id_ASC'] })
  return differenceOf([type, inGraph], expected, answer)
}

const searched = [...words, ...Object.values(canaries), 'whole', 'galls', 'author']

describe.each(principalNames)('GraphQL search for the %s', (name) => {
  it(
    'finds the same items as a REST query, in the same order and with the same count',
    { timeout },
    async () => {
      const caller = principalOf(opened, name)
      for (const packageName of branches
        .map(([, branch]) => branch)
        .filter((branch) => seesBranch(caller, branch))) {
        const rest = await openRest(opened.system, caller, packageName)
        const query =
          'query ($text: String!, $type: String, $limit: Int, $cursor: String) { it: search(text: $text, type: $type, limit: $limit, cursor: $cursor) { items { id } nextCursor count } }'
        for (const text of searched)
          for (const type of [undefined, 'article', 'vault'])
            expect(await found({ rest, query }, { text, ...(type && { type }), limit: 2 })).toEqual(
              // Its permission allows REST searches, which find nothing. GraphQL requires another
              // permission.
              name === 'account without graphql.query'
                ? [{ code: 'refused' }]
                : await foundByRest(rest, { text, ...(type && { type }), limit: 2 }),
            )
      }
    },
  )
})

type Search = { readonly text: string; readonly type?: string; readonly limit: number }

const refusals = new Set(['unauthorized', 'forbidden', 'not_found'])

/** The results up to the last page. Cursors are encrypted, but reveal their length. */
async function allPages(pageAt: (cursor: object) => Promise<Page>): Promise<object[]> {
  const pages: object[] = []
  let cursor: string | null = null
  do {
    const page: Page = await pageAt(cursor === null ? {} : { cursor })
    // Any refusal is fine for a principal who may not search at all.
    if ('code' in page && refusals.has(page.code)) return [{ code: 'refused' }]
    cursor = 'nextCursor' in page ? page.nextCursor : null
    pages.push({ ...page, nextCursor: cursor?.length ?? null })
  } while (cursor !== null && pages.length < mostPages)
  return pages
}

function found(asking: GraphSender, search: Search): Promise<object[]> {
  return allPages((cursor) => graphPage(asking, { ...search, ...cursor }))
}

function foundByRest({ caller, packageName }: Rest, search: Search): Promise<object[]> {
  return allPages(async (cursor) => {
    const branch = packageName !== undefined && { packageName }
    return pageOf(await orCode(() => caller.api.queries.run({ configId, ...branch, ...search, ...cursor })))
  })
}
