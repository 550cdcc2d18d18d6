import type { Api } from '@quire/contract'
import fc from 'fast-check'
import { codes } from './locale-model.ts'

/** Where an item is. The same write is made to two of them. */
export interface At {
  readonly api: Api
  readonly configId: string
  readonly id: string
  readonly packageName: string | undefined
}

type Values = NonNullable<Parameters<Api['items']['update']>[0]['fields']>
type ByLocale = Readonly<Record<string, string | null>>

interface Block {
  readonly type: 'prose' | 'rule'
  readonly align?: string | undefined
  readonly width?: number | undefined
  readonly text?: ByLocale | undefined
}

const word = fc.constantFrom('one', 'two', 'three')
const code = fc.constantFrom(...codes)
const byLocale: fc.Arbitrary<ByLocale> = fc.dictionary(code, fc.option(word), { maxKeys: 2 })
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant('prose' as const), align: word, text: byLocale }),
  fc.record({ type: fc.constant('rule' as const), width: fc.nat(3) }),
)
const optional = <T>(value: fc.Arbitrary<T>, weight: number) =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary: value })

/** Values of all locales, as `locale=*` takes them. */
export const wholeValues = fc
  .record({
    title: byLocale,
    sku: word,
    seo: fc.record({ heading: byLocale, index: fc.boolean() }),
    blocks: fc.array(block, { maxLength: 3 }),
  })
  .map((values) => values as unknown as Values)

/** How a list of blocks is sent: another one, or the one that is there with another text or order. */
const blocksSent = fc.oneof(
  { weight: 1, arbitrary: fc.record({ others: fc.array(block, { maxLength: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ index: fc.nat(2), text: word, code }) },
  { weight: 1, arbitrary: fc.record({ order: fc.constantFrom('shorter', 'longer', 'reversed' as const) }) },
)

const anyPatch = fc.record({
  title: optional(fc.option(byLocale), 6),
  tags: optional(fc.option(fc.dictionary(code, fc.array(word, { maxLength: 2 }), { maxKeys: 2 })), 2),
  sku: optional(fc.option(word), 2),
  seo: optional(
    fc.option(fc.record({ heading: optional(fc.option(byLocale), 7), index: optional(fc.boolean(), 2) })),
    3,
  ),
  blocks: optional(fc.option(blocksSent), 4),
})
const none = { title: undefined, tags: undefined, sku: undefined, seo: undefined }
const patch = fc.oneof(
  { weight: 2, arbitrary: anyPatch },
  { weight: 1, arbitrary: blocksSent.map((blocks) => ({ ...none, blocks })) },
)
type Patch = typeof patch extends fc.Arbitrary<infer P> ? P : never

const aLocale = fc.oneof(code, fc.constant('*'), fc.constant('de'))

/** One way to change an item, translations or what is public. */
export const randomWrite = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      way: fc.constantFrom('update', 'update', 'graphql', 'bulk' as const),
      locale: aLocale,
      patch,
      name: optional(word, 1),
      isLate: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ way: fc.constant('restore' as const), version: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      way: fc.constantFrom('confirm' as const, 'xliff' as const),
      locale: code,
      text: word,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      way: fc.constant('rows' as const),
      title: optional(word, 8),
      sku: optional(word, 3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      way: fc.constantFrom('publish', 'unpublish', 'schedule', 'bulkPublish' as const),
      locales: fc.option(fc.uniqueArray(code, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ way: fc.constantFrom('move' as const, 'archive' as const, 'delete' as const) }),
  },
)
export type Write = typeof randomWrite extends fc.Arbitrary<infer W> ? W : never

/** Makes a write. Errors: those of the operation. */
export async function perform(write: Write, at: At): Promise<void> {
  const { api, id, ...on } = at
  const ref = { ...on, id }
  if ('patch' in write) return update(write, at)
  if ('locales' in write) return publish(write, at)
  if ('title' in write) return importRow(write, at)
  if ('version' in write) await api.items.restore({ ...ref, version: write.version })
  else if (write.way === 'xliff') return importXliff(write, at)
  else if (write.way === 'confirm')
    await api.translations.confirm({ ...on, itemId: id, locale: write.locale })
  else if (write.way === 'move') await api.items.move({ ...ref, folderId: null })
  else if (write.way === 'archive') await api.items.archive(ref)
  else await api.items.delete(ref)
}

type Row = Extract<Write, { readonly title: unknown }>

async function importRow({ title, sku }: Row, { api, id, ...on }: At): Promise<void> {
  const row = { id, 'fields.title': title, 'fields.sku': sku }
  const file = new File([JSON.stringify(row)], 'rows.ndjson', { type: 'application/x-ndjson' })
  await api.items.importRows({ ...on, type: 'story', key: 'id', file })
}

type Publish = Extract<Write, { readonly locales: unknown }>

async function publish({ way, locales }: Publish, { api, ...ref }: At): Promise<void> {
  const input = { ...ref, locales }
  if (way === 'unpublish') await api.items.unpublish(input)
  else if (way === 'publish') await api.items.publish(input)
  else if (way === 'schedule') await api.items.publish({ ...input, at: Date.now() + 3_600_000 })
  else {
    const { id, ...on } = ref
    const input = locales ? { locales: [...locales] } : {}
    await api.items.bulk({ ...on, action: 'publish', ids: [id], input, atomic: true })
  }
}

type Update = Extract<Write, { readonly patch: unknown }>

async function update({ way, patch, name, isLate, ...write }: Update, at: At): Promise<void> {
  const { api, id, ...on } = at
  const { fields: stored = {}, currentVersion = 1 } = await api.items.get({ ...on, id, locale: '*' })
  // GraphQL writes the values of one locale.
  const locale = way === 'graphql' && write.locale === '*' ? 'de' : write.locale
  const whole = withBlocks(patch, stored)
  const input = {
    ...(name !== undefined && { name }),
    ...(isLate && currentVersion > 1 && { baseVersion: currentVersion - 1 }),
    fields: locale === '*' ? whole : inLocale(whole, locale),
  }
  if (way === 'graphql') await mutate({ ...input, locale }, at)
  else if (way === 'update') await api.items.update({ ...on, id, ...input, locale })
  else await api.items.bulk({ ...on, action: 'update', ids: [id], input: { ...input, locale }, atomic: true })
}

/** Updates an item by GraphQL, without its blocks, whose input has another form there. */
async function mutate(
  { locale, fields, ...members }: { readonly locale: string; readonly fields: Values },
  { api, id, ...on }: At,
): Promise<void> {
  const { blocks: _blocks, ...single } = fields
  const { errors } = await api.graphql.execute({
    ...on,
    query:
      'mutation ($id: ID!, $input: Story_Changes!, $locale: String) { updateStory(id: $id, input: $input, locale: $locale) { id } }',
    variables: { id, input: { ...members, fields: single }, locale },
  })
  if (errors?.[0]) throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions?.['code'] })
}

function inOrder(blocks: readonly Block[], order: 'shorter' | 'longer' | 'reversed'): Block[] {
  if (order === 'shorter') return blocks.slice(0, -1)
  return order === 'longer' ? [...blocks, ...blocks.slice(-1)] : blocks.toReversed()
}

/** The values that a patch sends, for an item with these values. */
function withBlocks({ blocks, ...others }: Patch, { blocks: stored }: Record<string, unknown>): Values {
  const sent = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  if (blocks === undefined) return sent as Values
  if (blocks === null) return { ...sent, blocks }
  if ('others' in blocks) return { ...sent, blocks: blocks.others } as unknown as Values
  const before = Array.isArray(stored) ? (stored as readonly Block[]) : []
  if ('order' in blocks) return { ...sent, blocks: inOrder(before, blocks.order) } as unknown as Values
  const after = before.map((one, index) =>
    index === blocks.index && one.type === 'prose'
      ? { ...one, text: { ...one.text, [blocks.code]: blocks.text } }
      : one,
  )
  return { ...sent, blocks: after } as unknown as Values
}

function of(value: unknown, locale: string): unknown {
  return typeof value === 'object' && value !== null
    ? ((value as Record<string, unknown>)[locale] ?? null)
    : value
}

/** The same values as somebody sends them who writes one locale. */
function inLocale({ title, tags, seo, blocks, ...others }: Values, locale: string): Values {
  const group = seo as { heading?: unknown } | null | undefined
  const list = blocks as readonly Block[] | null | undefined
  return {
    ...others,
    ...(title !== undefined && { title: of(title, locale) }),
    ...(tags !== undefined && { tags: of(tags, locale) }),
    ...(seo !== undefined && {
      seo: group && { ...group, ...('heading' in group && { heading: of(group.heading, locale) }) },
    }),
    ...(blocks !== undefined && {
      blocks: list && list.map((one) => ('text' in one ? { ...one, text: of(one.text, locale) } : one)),
    }),
  } as Values
}

/** Imports a file with the title of the item, or with its translation as it is. */
async function importXliff({ locale, text }: { locale: string; text: string }, at: At): Promise<void> {
  const { api, configId, packageName, id } = at
  if (packageName === undefined) throw Object.assign(new Error('XLIFF is for packages.'), { code: 'invalid' })
  const { fields } = await api.items.get({ configId, packageName, id, locale: '*' })
  const source = String(of(fields?.['title'], 'en'))
  const unit = `<unit id="fields.title"><segment state="final"><source>${source}</source><target>${text}</target></segment></unit>`
  const xliff = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="${locale}"><file id="${id}">${unit}</file></xliff>`
  await api.translations.import({ configId, packageName, file: new File([xliff], 'texts.xlf') })
}
