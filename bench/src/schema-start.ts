import type { Api } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { SchemaCost } from './schema-lines.ts'

/**
 * Prints the cost of the first document after 200 content types were created. Their schema is built
 * for it.
 */
type TypeInput = Parameters<Api['types']['create']>[0]

const configId = 'bench'
const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('bench'))
await api.repositories.create({ name: configId })
const ask = (query: string) => api.graphql.execute({ configId, query })
// Loads the GraphQL executor with an empty schema.
await ask('{ __typename }')
for (let index = 0; index < 200; index++) {
  await api.types.create({ name: `type-${index}`, fields: fieldsOf(index) })
}
const before = bytesHeld()
const started = performance.now()
await ask('{ __typename }')
const ms = performance.now() - started
const cost: SchemaCost = { ms, mb: (bytesHeld() - before) / 1e6 }
const last = JSON.stringify(await ask('{ __type(name: "Type199") { fields { name } } }'))
if (!last.includes('"blocks"')) throw new Error(`The schema lacks the last type: ${last}`)
process.stdout.write(JSON.stringify(cost))

/** Ten fields of many kinds. Each type refers to the one before it. */
function fieldsOf(index: number): NonNullable<TypeInput['fields']> {
  return [
    { name: 'title', kind: 'text', required: true },
    { name: 'body', kind: 'richText', settings: { format: 'markdown' } },
    { name: 'price', kind: 'number' },
    { name: 'rank', kind: 'integer', settings: { min: 0, max: 100 } },
    { name: 'isOpen', kind: 'boolean' },
    { name: 'cover', kind: 'asset' },
    { name: 'section', kind: 'category', list: true },
    {
      name: 'before',
      kind: 'reference',
      settings: { types: index === 0 ? [] : [`type-${index - 1}`] },
    },
    {
      name: 'seo',
      kind: 'group',
      settings: {
        fields: [
          { name: 'title', kind: 'text' },
          { name: 'score', kind: 'number', list: true },
        ],
      },
    },
    {
      name: 'blocks',
      kind: 'union',
      list: true,
      settings: {
        variants: [
          { name: 'quote', fields: [{ name: 'words', kind: 'text', required: true }] },
          { name: 'picture', fields: [{ name: 'asset', kind: 'asset' }] },
        ],
      },
    },
  ]
}

function bytesHeld(): number {
  if (!globalThis.gc) throw new Error('Run this script with --expose-gc.')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
