import { deepEqual, equal } from 'node:assert/strict'
import type { Api, FieldInput } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  codes,
  createRoles,
  includesAll,
  localesChanged,
  localesGiven,
  randomRoles,
  type Roles,
} from './locale-model.ts'
import { perform, randomWrite, wholeValues, type At, type Write } from './locale-writes.ts'

const fields: FieldInput[] = [
  { name: 'title', kind: 'text', localized: true },
  { name: 'tags', kind: 'text', list: true, localized: true },
  { name: 'sku', kind: 'text' },
  {
    name: 'seo',
    kind: 'group',
    settings: {
      fields: [
        { name: 'heading', kind: 'text', localized: true },
        { name: 'index', kind: 'boolean' },
      ],
    },
  },
  {
    name: 'blocks',
    kind: 'union',
    list: true,
    settings: {
      variants: [
        {
          name: 'prose',
          fields: [
            { name: 'text', kind: 'text', localized: true },
            { name: 'align', kind: 'text' },
          ],
        },
        { name: 'rule', fields: [{ name: 'width', kind: 'integer' }] },
      ],
    },
  },
]

let quire: Quire
let api: Api
let reader: string
/** The repository of the caller, and the one in which the system does the same. */
const [configId, shadow] = ['magazine', 'shadow']
let repositoryId: string

beforeAll(async () => {
  quire = createQuire({ store: createMemoryStore() })
  api = quire.as(systemIdentity('test'))
  const locales = {
    default: 'en',
    list: codes.map((code) => ({ code, name: code, fallback: code === 'de' ? 'en' : null })),
  }
  ;({ id: repositoryId } = await api.repositories.create({ name: configId, settings: { locales } }))
  await api.repositories.create({ name: shadow, settings: { locales } })
  for (const name of ['story', 'note']) await api.types.create({ name, fields })
  const global = ['items.read', 'packages.view', 'graphql.query'] as const
  reader = (await api.roles.create({ name: 'Reader', permissions: { global: [...global] } })).id
})
afterAll(() => quire.close())

/** Everything that a write could change of an item. */
async function stateOf({ configId, id, packageName }: Omit<At, 'api'>) {
  const item = await api.items.get({ configId, id, packageName, locale: '*' })
  const { name, slug, description, folderId, readPerm, writePerm, deletePerm, taxonomies } = item
  const { currentVersion, isPublished, isArchived, status, publications = {} } = item
  const query = 'query ($id: ID!) { story(id: $id) { translations { path locale state } } }'
  const { data } = await api.graphql.execute({ configId, packageName, query, variables: { id } })
  const versions = Object.entries(publications).map(([code, { version }]) => `${code} ${version}`)
  return {
    content: {
      name,
      slug,
      description,
      folderId,
      readPerm,
      writePerm,
      deletePerm,
      taxonomies,
      fields: item.fields,
    },
    rest: { currentVersion, isPublished, isArchived, status, versions, translations: data },
  }
}

type State = Awaited<ReturnType<typeof stateOf>>

/** Whether the law lets a caller with these roles make a write with this effect. */
function isAllowed(write: Write, roles: Roles, { before, after, inPackage }: Effect): boolean {
  const given = (key: 'items.update' | 'items.publish') => localesGiven(roles, key, inPackage)
  if (write.way === 'archive' || write.way === 'delete') return false
  if (write.way === 'move') return given('items.update') === 'all'
  if ('locales' in write)
    return includesAll(given('items.publish'), write.locales ? new Set(write.locales) : null)
  const changed =
    write.way === 'confirm' || write.way === 'xliff'
      ? new Set([write.locale])
      : localesChanged(before.content, after.content)
  return includesAll(given('items.update'), changed)
}

interface Effect {
  readonly before: State
  readonly after: State
  readonly inPackage: boolean
}

/** The code of the error of a write; null: it was made. */
async function refusal(write: Write, at: At): Promise<string | null> {
  try {
    await perform(write, at)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

async function callerWith({ roles, branchOnly }: Case): Promise<Api> {
  const ids = await createRoles({ api, repositoryId }, roles)
  const id = `${crypto.randomUUID()}@example.org`
  await api.users.create({ id, name: 'Ada', roles: [reader, ...ids], branchOnly })
  return quire.as({ kind: 'user', id })
}

const aCase = fc.record({
  roles: randomRoles,
  branchOnly: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  versions: fc.array(wholeValues, { minLength: 1, maxLength: 3 }),
  published: fc.option(fc.subarray([...codes], { minLength: 1 })),
  inPackage: fc.boolean(),
  write: randomWrite,
})
type Case = typeof aCase extends fc.Arbitrary<infer C> ? C : never

/** An item with a history. */
async function itemIn(configId: string, { versions, published, inPackage }: Case): Promise<Omit<At, 'api'>> {
  const [first = {}, ...later] = versions
  const members = { repositoryId: configId, type: 'story', name: `Ink ${items}`, locale: '*' }
  const { id } = await api.items.create({ ...members, fields: first })
  for (const fields of later) await api.items.update({ configId, id, locale: '*', fields })
  if (published) await api.items.publish({ configId, id, locales: [...published] })
  const packageName = inPackage ? `german ${items}` : undefined
  if (packageName !== undefined) await api.packages.create({ repo: configId, name: packageName })
  return { configId, id, packageName }
}

/** The roles that count. On main, those of an account that is branchOnly do not. */
function countedRoles({ roles, branchOnly, inPackage }: Case): Roles {
  return branchOnly && !inPackage ? [] : roles
}

let items = 0
const seen = { allowed: 0, refused: 0, invalid: 0 }

async function check(one: Case): Promise<void> {
  const { write, inPackage } = one
  items += 1
  const [caller, mine, theirs] = [
    await callerWith(one),
    await itemIn(configId, one),
    await itemIn(shadow, one),
  ]
  const before = await stateOf(mine)
  const fault = await refusal(write, { api, ...theirs })
  const after = fault === null && write.way !== 'delete' ? await stateOf(theirs) : before
  const allowed = isAllowed(write, countedRoles(one), { before, after, inPackage })
  const code = await refusal(write, { api: caller, ...mine })
  // These report by row and by unit what they refuse.
  const reports = write.way === 'rows' || write.way === 'xliff'
  if (fault !== null) equal(code === null, false, `invalid, but not refused: ${fault}`)
  else if (!reports) equal(code, allowed ? null : 'forbidden')
  deepEqual(
    await stateOf(mine),
    allowed && fault === null
      ? { ...after, content: { ...after.content, slug: before.content.slug } }
      : before,
  )
  seen[fault !== null ? 'invalid' : allowed ? 'allowed' : 'refused'] += 1
}

it('a caller changes exactly what the roles give in each locale, and nothing of what is refused', async () => {
  await fc.assert(fc.asyncProperty(aCase, check), { numRuns: Number(process.env['RUNS'] ?? 500) })
  expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(20)
}, 300_000)
