const kinds = [
  'text',
  'richText',
  'number',
  'integer',
  'boolean',
  'date',
  'datetime',
  'reference',
  'asset',
  'category',
  'url',
  'email',
  'slug',
  'color',
  'geo',
  'json',
]

/** How large a schema is. */
export interface SchemaSize {
  readonly types: number
  readonly fields: number
  readonly depth: number
  readonly variants: number
}

/** A module with a schema of many types. Each has a deep group; the first has a large union. */
export function largeSchema({ types, fields, depth, variants }: SchemaSize): string {
  const names = Array.from({ length: types }, (_, index) => `type${index}`)
  const plain = Array.from({ length: fields - 2 }, (_, index) => fieldText(index))
  const definitions = names.map((name, index) => {
    const last = index === 0 ? unionText(variants) : fieldText(fields)
    const all = [...plain, groupText(depth), last].join(',\n  ')
    return `export const ${name} = defineType({ name: '${name}', settings: { slugFrom: 'field0' }, fields: [\n  ${all},\n] })\n`
  })
  return [
    "import { defineSchema, defineType } from '@quire/contract/schema'",
    ...definitions,
    `export const schema = defineSchema([${names.join(', ')}])\n`,
  ].join('\n')
}

function fieldText(index: number): string {
  const kind = kinds[index % kinds.length] ?? ''
  const settings = kind === 'text' ? `, settings: { options: ['a${index}', 'b${index}'] }` : ''
  return `{ name: 'field${index}', kind: '${kind}'${index % 7 === 6 ? ', list: true' : ''}${settings} }`
}

function groupText(depth: number): string {
  const inner = depth === 1 ? fieldText(1) : groupText(depth - 1)
  return `{ name: 'group', kind: 'group', settings: { fields: [${fieldText(0)}, ${inner}] } }`
}

function unionText(variants: number): string {
  const all = Array.from(
    { length: variants },
    (_, index) => `{ name: 'block${index}', fields: [${fieldText(index)}, ${fieldText(index + 16)}] }`,
  )
  return `{ name: 'blocks', kind: 'union', list: true, settings: { variants: [${all.join(', ')}] } }`
}

/** A program that uses the client with a schema, or without one. */
export function program(hasSchema: boolean): string {
  const use = `
export async function use() {
  const { fields } = await client.items.create({ repositoryId: 'm', type: 'type7', name: 'x', fields: { field0: 'a0', field2: 3 } })
  const deep: string | undefined = fields.group?.group?.group?.group?.group?.field1
  const block = (await client.items.get<'type0'>({ configId: 'm', id: 'x' })).fields.blocks?.[0]
  const number: number | undefined = block?.type === 'block3' ? block.field3 : undefined
  // @ts-expect-error: there is no such field
  const none = fields.field99
  // @ts-expect-error: there is no such option
  await client.items.create({ repositoryId: 'm', type: 'type9', name: 'x', fields: { field0: 'c0' } })
  const { items } = await client.items.list({ configId: 'm', type: 'type99' })
  const { items: chosen } = await client.items.list({
    configId: 'm',
    type: 'type98',
    select: ['name', 'fields.group.group.field0', 'fields.field2'],
    filter: { 'fields.field2': { gte: 3 }, 'fields.group.group.group.field0': 'a0' },
    sort: '-fields.field3,name',
  })
  const chosenDeep: string | undefined = chosen[0]?.fields.group?.group?.field0
  // @ts-expect-error: it was not selected
  const notChosen = chosen[0]?.fields.field3
  // @ts-expect-error: there is no such field
  await client.items.list({ configId: 'm', filter: { 'fields.field99': 1 } })
  return [deep, number, none, items[0]?.fields.field3, chosenDeep, notChosen]
}
`
  return [
    "import { createClient } from '@quire/client'",
    hasSchema ? "import type { schema } from './schema.ts'" : '',
    `const client = createClient${hasSchema ? '<typeof schema>' : ''}({ baseUrl: 'https://x', auth: { clientId: 'a', clientSecret: 'b' } })`,
    hasSchema ? use : 'export const items = client.items',
  ].join('\n')
}
