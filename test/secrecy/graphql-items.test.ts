import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asked,
  codesOf,
  differenceOf,
  principalOf,
  schemaFor,
  seesBranch,
  upperFirst,
  type GraphSender,
} from './graphql-sender.ts'
import { expectedItem, openRest, restItem, restItemBySlug, type Rest } from './graphql-rest.ts'
import { everyField, withFragments } from './graphql-schema.ts'
import { openGraphqlWorld, principalNames, type GraphqlWorld, type Caller } from './graphql-world.ts'
import { repository as configId } from './world-content.ts'
import { sharedPackage } from './world-hidden.ts'

let opened: GraphqlWorld

beforeAll(async () => {
  opened = await openGraphqlWorld()
})
afterAll(() => opened.world.quire.close())

const branches = [
  ['main', undefined],
  ['a package', sharedPackage],
] as const

const byName = {
  id: ['$id: ID!', 'id: $id'],
  slug: ['$slug: String!', 'slug: $slug'],
  version: ['$id: ID!, $version: String', 'id: $id, version: $version'],
} as const

/** A sender that requests every field of an item and of the items that it refers to. */
async function askingOf(rest: Rest, by: keyof typeof byName): Promise<GraphSender> {
  const schema = await schemaFor(opened, rest.caller)
  const [variables, given] = byName[by]
  const query = `query (${variables}) { it: item(${given}) { ${everyField(schema, 'Item', 1)} } }`
  return { rest, query: withFragments(schema, query) }
}

/** Every item on a branch, and a missing one. */
async function allItems(packageName: string | undefined) {
  const branch = { configId, archived: true, limit: 1000, ...(packageName !== undefined && { packageName }) }
  const { items } = await opened.system.items.list(branch)
  const found = items.map(({ id, slug = '', type = '' }) => ({ id, slug, type }))
  return [...found, { id: 'CONT_0', slug: 'no-such-slug', type: 'article' }]
}

async function wholeOf(rest: Rest, item: Awaited<ReturnType<typeof restItem>>): Promise<object | null> {
  const whole = await expectedItem(rest, item, 1)
  return whole && { __typename: upperFirst(item?.type ?? ''), ...whole }
}

describe.each(principalNames)('GraphQL answers the %s', (name) => {
  it.each(branches)('every field of every item on %s as REST does', async (_branch, packageName) => {
    const caller = principalOf(opened, name)
    if (!seesBranch(caller, packageName)) return expectNoBranch(caller, packageName ?? '')
    const rest = await openRest(opened.system, caller, packageName)
    const [byId, bySlug] = [await askingOf(rest, 'id'), await askingOf(rest, 'slug')]
    const differing: object[] = []
    let answered = 0
    for (const { id, slug } of await allItems(packageName)) {
      const expected = await wholeOf(rest, await restItem(rest, id))
      if (expected) answered += 1
      differing.push(...differenceOf(id, { it: expected }, await asked(byId, { id })))
      const slugged = await wholeOf(rest, await restItemBySlug(rest, slug))
      differing.push(...differenceOf(slug, { it: slugged }, await asked(bySlug, { slug })))
    }
    expect(differing).toEqual([])
    // An answer without any item would prove nothing.
    expect(answered >= 3).toBe(name !== 'reader of folders only')
  })

  it('every version of an item as REST does', async () => {
    const rest = await openRest(opened.system, principalOf(opened, name))
    const asking = await askingOf(rest, 'version')
    const differing: object[] = []
    for (const { id } of await allItems(undefined)) {
      const isThere = (await restItem(rest, id)) !== null
      for (const version of ['1', '2', '3', 'latest', 'latestpublished', '99']) {
        const it = await wholeOf(rest, await restItem(rest, id, version))
        // A reader of the item is told that this version does not exist. For others, the item does
        // not exist.
        const expected = isThere && !it ? { it, codes: ['not_found'] } : { it }
        differing.push(...differenceOf([id, version], expected, await asked(asking, { id, version })))
      }
    }
    expect(differing).toEqual([])
  })

  it('an item only under the name of its own type', async () => {
    const caller = principalOf(opened, name)
    const rest = await openRest(opened.system, caller)
    const schema = await schemaFor(opened, caller)
    const types = [...rest.types.keys()].filter((type) => schema.has(upperFirst(type)))
    const query = `query ($id: ID!) { ${types.map((type) => `${type}(id: $id) { id }`).join(' ')} }`
    for (const { id, type } of types.length === 0 ? [] : await allItems(undefined)) {
      const isRead = (await restItem(rest, id)) !== null
      const { data } = await caller.api.graphql.execute({ configId, query, variables: { id } })
      const expected = types.map((one) => [one, isRead && one === type ? { id } : null])
      expect(data).toEqual(Object.fromEntries(expected))
    }
  })
})

/**
 * Principals who may not see packages are not told whether a package exists: the permission is
 * checked before the name is looked up.
 */
async function expectNoBranch(caller: Caller, packageName: string): Promise<void> {
  const { graphql } = caller.api
  const one = (packaged: string) => `item(id: "CONT_0", package: "${packaged}") { id }`
  const query = `{ it: ${one(packageName)} none: ${one('no-such-package')} }`
  const { data, errors } = await graphql.execute({ configId, query })
  const code = caller.principal.kind === 'anonymous' ? 'unauthorized' : 'forbidden'
  expect(data).toEqual({ it: null, none: null })
  expect(codesOf(errors)).toEqual([code, code])
  const onPath = { configId, packageName, query: '{ __typename }' }
  await expect(graphql.execute(onPath)).rejects.toMatchObject({ code })
}
