import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orCode, principalOf, schemaFor } from './graphql-sender.ts'
import { everyField, listsIn, namesIn, withFragments } from './graphql-schema.ts'
import {
  canaries,
  openGraphqlWorld,
  principalNames,
  type Canary,
  type GraphqlWorld,
  type Caller,
} from './graphql-world.ts'
import { repository as configId } from './world-content.ts'
import { sharedPackage } from './world-hidden.ts'

let opened: GraphqlWorld
/** All answers to each principal, collected once for all tests. */
const received = new Map<string, string>()

beforeAll(async () => {
  opened = await openGraphqlWorld()
  for (const caller of opened.principals) received.set(caller.name, await receiveAll(caller))
}, 30_000)
afterAll(() => opened.world.quire.close())

type Execute = Parameters<Caller['api']['graphql']['execute']>[0]
type Document = Omit<Execute, 'configId'>

/**
 * Misspelled names in documents and variables, for which a schema could suggest the correct name.
 */
const misspelled: readonly Document[] = [
  ...[
    '{ vaul { id } }',
    '{ dossier(idd: "x") { statu } }',
    '{ articles { items { secondCousin } } }',
    '{ vaults { items { onl secre } } }',
    '{ item(id: "CONT_0") { ... on Vaul { id } } }',
    '{ articles(sort: secondCousin_ASC) { count } }',
    '{ dossiers(sort: statu_ASC) { count } }',
    '{ articles(filter: { secondCousin: { eq: "x" } }) { count } }',
    '{ vaults(filter: { onl: { eq: "x" } }) { count } }',
    'query ($f: Vaul_Filter) { vaults(filter: $f) { count } }',
    'mutation { createVaul(input: { name: "x" }) { id } }',
    'mutation { createVault(input: { nam: "x" }) { id } }',
  ].map((query) => ({ query })),
  ...[
    { f: { secondCousin: { eq: 'x' } } },
    { f: { titel: { eq: 'x' } } },
    { f: { name: { equ: 'x' } } },
    { s: ['secondCousin_ASC'] },
    { s: ['nam_ASC'] },
  ].map((variables) => ({
    query: 'query ($f: Article_Filter, $s: [Article_Sort!]) { articles(filter: $f, sort: $s) { count } }',
    variables,
  })),
]

async function execute({ api }: Caller, document: Document): Promise<string> {
  return JSON.stringify(await orCode(() => api.graphql.execute({ configId, ...document })))
}

/**
 * Collects all answers to a principal: the schema, every item of every branch, lists, searches, and
 * error messages.
 */
async function receiveAll(caller: Caller): Promise<string> {
  const documents = [...misspelled, ...(await readings(caller)), ...changes(await hiddenIds(), caller)]
  const answers: string[] = [await schemaText(caller)]
  for (const document of documents) answers.push(await execute(caller, document))
  return answers.join('\n')
}

async function schemaText({ api }: Caller): Promise<string> {
  const text = await orCode(async () => new Response(await (await api.graphql.schema({ configId })).bytes()))
  return text instanceof Response ? text.text() : text.code
}

async function readings(caller: Caller): Promise<Document[]> {
  const schema = await schemaFor(opened, caller)
  const item = withFragments(
    schema,
    `query ($id: ID!) { item(id: $id) { ${everyField(schema, 'Item', 1)} } }`,
  )
  const lists = listsIn(schema).map(({ list, object }) => {
    const fields = everyField(schema, object, 0)
    return withFragments(
      schema,
      `{ ${list}(limit: 20, archived: true) { items { ${fields} } count nextCursor } }`,
    )
  })
  const search =
    'query ($text: String!) { search(text: $text, limit: 5) { items { id name } count nextCursor } }'
  const queries: Document[] = [
    ...lists.map((query) => ({ query })),
    ...(await everyId()).map((id) => ({ query: item, variables: { id } })),
    ...Object.values(canaries).map((text) => ({ query: search, variables: { text } })),
  ]
  return [undefined, sharedPackage].flatMap((packageName) =>
    queries.map((query) => ({ ...query, ...(packageName !== undefined && { packageName }) })),
  )
}

async function everyId(): Promise<string[]> {
  const all = [{}, { packageName: sharedPackage }].map((branch) =>
    opened.system.items.list({ configId, ...branch, archived: true, limit: 1000 }),
  )
  return [...new Set((await Promise.all(all)).flatMap(({ items }) => items.map(({ id }) => id)))]
}

/** The ids of items that only the administrator may read, for each type that has some. */
async function hiddenIds(): Promise<string[]> {
  const { items } = await opened.system.items.list({ configId, limit: 1000 })
  return items.filter(({ name = '' }) => name === canaries.limited).map(({ id }) => id)
}

const absent = 'CONT_0'
const verbs = ['update', 'delete', 'publish', 'unpublish', 'archive', 'unarchive']

/** Every mutation of some items. Not for the administrator, whose mutations would succeed. */
function changes(ids: readonly string[], { name }: Caller): Document[] {
  if (name === 'administrator') return []
  return ids.flatMap((id) => verbs.map((verb) => changing(verb, 'Dossier', id)))
}

function changing(verb: string, type: string, id: string): Document {
  const given = verb === 'update' ? 'id: $id, input: { name: "Mine", baseVersion: 1 }' : 'id: $id'
  const wanted = verb === 'delete' ? '' : '{ id name }'
  return { query: `mutation ($id: ID!) { ${verb}${type}(${given}) ${wanted} }`, variables: { id } }
}

function receives(name: string, canary: Canary): boolean {
  return (received.get(name) ?? '').toLowerCase().includes(canaries[canary].toLowerCase())
}

const everyCanary = Object.keys(canaries) as Canary[]

describe('content that a principal may not read', () => {
  it.each(principalNames)('is in no GraphQL answer to the %s', (name) => {
    const { unheard } = principalOf(opened, name)
    expect(unheard.filter((canary) => receives(name, canary))).toEqual([])
    expect((received.get(name) ?? '').length).toBeGreaterThan(10_000)
  })

  it('would be found: the administrator receives all of it', () => {
    expect(everyCanary.filter((canary) => !receives('administrator', canary))).toEqual([])
  })

  it('would be found: others receive every kind that they may read', () => {
    const others = principalNames.slice(1)
    const reported = everyCanary.filter((canary) => others.some((name) => receives(name, canary)))
    expect(everyCanary.filter((canary) => !reported.includes(canary))).toEqual(['limited'])
  })

  it('is not suggested to readers with public access, not even for variables', () => {
    const isHelped = ({ name }: Caller) => (received.get(name) ?? '').includes('Did you mean')
    expect(opened.principals.filter(({ isPublic }) => isPublic).filter(isHelped)).toEqual([])
    expect(isHelped(principalOf(opened, 'administrator'))).toBe(true)
  })

  it('has no type in the schema of principals who may not see the type', async () => {
    const schema = await schemaFor(opened, principalOf(opened, 'reader of folders only'))
    expect(namesIn(schema, 'Query')).toEqual(['item', 'search'])
    expect(schema.has('Mutation')).toBe(false)
    const reader = await schemaFor(opened, principalOf(opened, 'reader of one type'))
    expect(listsIn(reader).map(({ object }) => object)).toEqual(['Dossier'])
  })

  it.each(['reader of one type', 'reader without the role', 'editor of a package', 'anonymous caller'])(
    'cannot be changed by the %s, and is answered like a missing item',
    async (name) => {
      const caller = principalOf(opened, name)
      const before = await Promise.all(
        (await hiddenIds()).map((id) => opened.system.items.get({ configId, id })),
      )
      for (const verb of verbs) {
        const none = await execute(caller, changing(verb, 'Dossier', absent))
        expect(none).toMatch(/"code":"(?:not_found|unauthorized)"/)
        for (const { id } of before) {
          const answer = await execute(caller, changing(verb, 'Dossier', id))
          expect(answer.replaceAll(id, absent)).toBe(none)
        }
      }
      const after = await Promise.all(before.map(({ id }) => opened.system.items.get({ configId, id })))
      expect(after).toEqual(before)
    },
  )
})
