import { endpoints, type Api, type Endpoint, type Item, type MergeConflict } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { anArticle } from '../api/delivery/magazine.ts'
import { openMagazine, repo, type MagazineEngine } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'
import { structureTables } from './structure-tables.ts'

const configId = repo
const packageName = 'branch'
const ref = { repo, packageName }

/**
 * What one side does to an item, or next to it: `created` makes another one with the slug that
 * `renamed` uses.
 */
const acts = ['unchanged', 'edited', 'deleted', 'moved', 'renamed', 'created'] as const
type Act = (typeof acts)[number]

/**
 * The outcome of a merge after one action in the package (rows) and another on main (columns).
 * Either the resulting state of main: the item's price (1 before, 2 in the package, 3 on main), its
 * folder (1 in the package, 2 on main) and its slug, as far as they changed, and the items that
 * were created; or the conflicts, each with its path and kind. Source: DESIGN "Packages".
 */
const tables: { readonly item: Readonly<Record<Act, readonly string[]>> } = {
  item: {
    unchanged: ['as before', 'price 3', 'gone', 'folder 2', 'slug wanted', 'as before, one made there'],
    edited: [
      'price 2',
      '409 fields.price changed',
      '409 all deleted_on_main',
      'price 2, folder 2',
      'price 2, slug wanted',
      'price 2, one made there',
    ],
    deleted: [
      'gone',
      '409 all deleted_in_package',
      'gone',
      '409 all deleted_in_package',
      '409 all deleted_in_package',
      'gone, one made there',
    ],
    moved: [
      'folder 1',
      'price 3, folder 1',
      '409 all deleted_on_main',
      '409 folderId changed',
      'folder 1, slug wanted',
      'folder 1, one made there',
    ],
    renamed: [
      'slug wanted',
      'price 3, slug wanted',
      '409 all deleted_on_main',
      'folder 2, slug wanted',
      'slug wanted',
      '409 slug slug_taken',
    ],
    created: [
      'as before, one made here',
      'price 3, one made here',
      'gone, one made here',
      'folder 2, one made here',
      '409 slug slug_taken',
      '409 slug slug_taken',
    ],
  },
}

/**
 * The groups of operations that write on the branch of a package, with the kind of entity that they
 * write.
 */
const kindsOfGroups = {
  items: 'item',
  assets: 'item',
  renditions: 'item',
  autoPackage: 'item',
  translations: 'item',
  // Its mutations are the operations on items.
  graphql: 'item',
  folders: 'folder',
  taxonomies: 'taxonomy',
  categories: 'category',
  sites: 'site',
  sections: 'section',
  pages: 'page',
} as const

/** Groups that only read there, or that change the review of a package but not its content. */
const onlyRead: ReadonlySet<string> = new Set([
  'repositories',
  'references',
  'dependencies',
  'activity',
  'queries',
  'workflow',
  'ai',
])

const cells = Object.entries(tables.item).flatMap(([inPackage, row]) =>
  row.map((outcome, index) => ({ inPackage, onMain: acts[index] ?? '', outcome })),
)

describe('the table of merges', () => {
  it('covers every kind that can be written in a package, and every pair of actions', () => {
    const groups = endpoints
      .filter(({ group, endpoint }) => group !== 'packages' && isWriteOnBranch(endpoint))
      .map(({ group }) => group)
      .filter((group) => !onlyRead.has(group))
    expect(new Set(groups)).toEqual(new Set(Object.keys(kindsOfGroups)))
    const kinds = new Set([...Object.keys(tables), ...Object.keys(structureTables)])
    expect(kinds).toEqual(new Set(Object.values(kindsOfGroups)))
    expect(cells).toHaveLength(acts.length ** 2)
  })

  it.each(cells)(
    'for an item $inPackage in the package and $onMain on main: $outcome',
    async ({ inPackage, onMain, outcome }) => {
      const branch = await branchOf()
      await act(branch, { does: inPackage, here: true })
      await act(branch, { does: onMain, here: false })
      const before = await mainHas(branch)
      const found = await mergeOutcome(branch)
      expect(found).toBe(outcome)
      expect(await mainHas(branch)).toBe(found.startsWith('409') ? before : outcome)
    },
  )

  it.each([
    ['slugs', { slug: 'here' }, { slug: 'there' }, '409 slug changed'],
    ['names', { name: 'Here' }, { name: 'There' }, '409 name changed'],
    ['the same slug', { slug: 'both' }, { slug: 'both' }, 'slug both'],
    ['the same price', { fields: { price: 2 } }, { fields: { price: 2 } }, 'price 2'],
    ['price and slug', { fields: { price: 2 } }, { slug: 'there' }, 'price 2, slug there'],
  ] as const)('for %s changed on both sides', async (...[, here, there, outcome]) => {
    const branch = await branchOf()
    const { api, item } = branch
    await api.items.update({ configId, id: item.id, packageName, ...here })
    await api.items.update({ configId, id: item.id, ...there })
    expect(await mergeOutcome(branch)).toBe(outcome)
  })

  it('for the same folder chosen on both sides', async () => {
    const branch = await branchOf()
    for (const here of [true, false])
      await act({ ...branch, folders: [branch.folders[0], branch.folders[0]] }, { does: 'moved', here })
    expect(await mergeOutcome(branch)).toBe('folder 1')
  })
})

/** Queries are sent as POST but write nothing. */
function isWriteOnBranch({ method, path, input: { shape } }: Endpoint): boolean {
  return method !== 'GET' && !path.startsWith('/api/queries/') && 'packageName' in shape
}

interface Branch extends MagazineEngine {
  readonly item: Item
}

/** An article on main, and a package that contains it. */
async function branchOf(): Promise<Branch> {
  const engine = await openMagazine()
  const item = await engine.api.items.create(
    anArticle({ name: 'The article', slug: 'before', fields: { title: 'The article', price: 1 } }),
  )
  await engine.api.packages.create({ repo, name: packageName })
  await engine.api.packages.addItem({ ...ref, id: item.id })
  return { ...engine, item }
}

async function act(
  { api, item, folders }: Branch,
  { does, here }: { does: string; here: boolean },
): Promise<void> {
  const on = here ? { packageName } : {}
  const at = { configId, id: item.id, ...on }
  if (does === 'edited') await api.items.update({ ...at, fields: { price: here ? 2 : 3 } })
  if (does === 'deleted') await api.items.delete(at)
  if (does === 'moved') await api.items.move({ ...at, folderId: here ? folders[0] : folders[1] })
  if (does === 'renamed') await api.items.update({ ...at, slug: 'wanted' })
  if (does === 'created')
    await api.items.create(anArticle({ name: here ? 'here' : 'there', slug: 'wanted', ...on }))
}

/** Merges, and returns the resulting state of main or the conflicts. */
async function mergeOutcome(branch: Branch): Promise<string> {
  const { api } = branch
  const { code, error } = await outcomeOf(api.packages.merge(ref))
  if (code === 'done') return mainHas(branch)
  const conflicts = (error?.conflicts ?? []).map((conflict) => {
    const { path, kind } = conflict as MergeConflict
    return `${path === '' ? 'all' : path} ${kind}`
  })
  return `409 ${conflicts.join(', ')}`
}

/** The item on main, and the items created next to it, in the table's notation. */
async function mainHas({ api, item, folders }: Branch): Promise<string> {
  const { items } = await api.items.list({ configId, limit: 1000, sort: 'name' })
  const found = items.find(({ id }) => id === item.id)
  const made = items.filter(({ id }) => id !== item.id).map(({ name }) => `one made ${name}`)
  return [...(found ? givenOf(found, folders) : ['gone']), ...made].join(', ')
}

type ListedItem = Awaited<ReturnType<Api['items']['list']>>['items'][number]

function givenOf({ fields, folderId, slug }: ListedItem, folders: readonly string[]): string[] {
  const price = fields?.['price']
  const given = [
    ...(price === 1 ? [] : [`price ${JSON.stringify(price)}`]),
    ...(folderId === null ? [] : [`folder ${1 + folders.findIndex((folder) => folder === folderId)}`]),
    ...(slug === 'before' ? [] : [`slug ${slug}`]),
  ]
  return given.length === 0 ? ['as before'] : given
}
