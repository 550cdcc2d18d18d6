import type { Api, MergeConflict } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { openMagazine, repo, type MagazineEngine } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'
import { structureActs, structureTables, type StructureAct } from './structure-tables.ts'

const configId = repo
const packageName = 'branch'
const ref = { repo, packageName }

type Kind = keyof typeof structureTables
type BranchRef = { readonly packageName?: string }

/**
 * The operations on one kind of entity, in a common shape. `name` must be unique among siblings:
 * the slug of sections and pages.
 */
interface Handling {
  /** Creates a parent. Default: an entity of the same kind. */
  scope?(name: string): Promise<{ id: string }>
  make(given: { name: string } & BranchRef): Promise<{ id: string }>
  change(id: string, given: { name?: string; description?: string } & BranchRef): Promise<unknown>
  move(id: string, parentId: string, on: BranchRef): Promise<unknown>
  remove(id: string, on: BranchRef): Promise<unknown>
  all(): Promise<readonly VisibleRow[]>
}

interface VisibleRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly parentId?: string | null
}

const handlings: { readonly [K in Kind]: (engine: MagazineEngine) => Handling } = {
  folder: ({ api: { folders } }) => ({
    make: (given) => folders.create({ configId, ...given }),
    change: (id, given) => folders.update({ configId, id, ...given }),
    move: (id, parentId, on) => folders.move({ configId, id, parentId, ...on }),
    remove: (id, on) => folders.delete({ configId, id, ...on }),
    all: async () => (await folders.list({ configId, limit: 1000 })).items,
  }),
  taxonomy: ({ api: { taxonomies } }) => ({
    make: (given) => taxonomies.create({ configId, ...given }),
    change: (id, given) => taxonomies.update({ configId, id, ...given }),
    move: async () => undefined,
    remove: (id, on) => taxonomies.delete({ configId, id, ...on }),
    all: async () => (await taxonomies.list({ configId, limit: 1000 })).items,
  }),
  category: ({ api: { categories }, taxonomyId }) => ({
    make: (given) => categories.create({ configId, taxonomyId, ...given }),
    change: (id, given) => categories.update({ configId, taxonomyId, id, ...given }),
    move: (id, parentId, on) => categories.move({ configId, taxonomyId, id, parentId, ...on }),
    remove: (id, on) => categories.delete({ configId, taxonomyId, id, ...on }),
    all: async () => (await categories.list({ configId, taxonomyId, limit: 1000 })).items,
  }),
  site: ({ api: { sites } }) => ({
    make: ({ name, ...on }) =>
      sites.create({ configId, name, slug: name.toLowerCase().replace(' ', '-'), ...on }),
    change: (siteId, { name: slug, ...given }) =>
      sites.update({ configId, siteId, ...(slug !== undefined && { slug }), ...given }),
    move: async () => undefined,
    remove: (siteId, on) => sites.delete({ configId, siteId, ...on }),
    all: async () =>
      (await sites.list({ configId, limit: 1000 })).items.map((one) => ({ ...one, name: one.slug })),
  }),
  section: ({ api: { sections }, siteId }) => ({
    make: (given) => sections.create({ configId, siteId, ...given }),
    change: (id, { name: slug, ...given }) =>
      sections.update({ configId, siteId, id, ...(slug !== undefined && { slug }), ...given }),
    move: (id, parentId, on) => sections.move({ configId, siteId, id, parentId, ...on }),
    remove: (id, on) => sections.delete({ configId, siteId, id, ...on }),
    all: async () =>
      (await sections.list({ configId, siteId, limit: 1000 })).items.map((one) => ({
        ...one,
        name: one.slug,
      })),
  }),
  page: ({ api: { sections, pages }, siteId, sectionId }) => ({
    scope: (name) => sections.create({ configId, siteId, name }),
    make: (given) => pages.create({ configId, siteId, sectionId, ...given }),
    change: (id, { name: slug, ...given }) =>
      pages.update({ configId, siteId, id, ...(slug !== undefined && { slug }), ...given }),
    move: (id, parentId, on) => pages.move({ configId, siteId, id, sectionId: parentId, ...on }),
    remove: (id, on) => pages.delete({ configId, siteId, id, ...on }),
    all: async () =>
      (await pages.list({ configId, siteId, limit: 1000 })).items.map((one) => ({
        ...one,
        name: one.slug,
        parentId: one.sectionId === sectionId ? null : one.sectionId,
      })),
  }),
}

const cells = (Object.keys(structureTables) as Kind[]).flatMap((kind) => {
  const { table, isMoved } = structureTables[kind]
  const acts = structureActs.filter((act) => isMoved || act !== 'moved')
  return acts.flatMap((inPackage) =>
    acts.map((onMain) => ({
      kind,
      inPackage,
      onMain,
      outcome: table[inPackage][structureActs.indexOf(onMain)] ?? '',
    })),
  )
})

describe('the table of merges', () => {
  it('has every pair of actions', () => {
    expect(cells).toHaveLength(36 + 25 + 36 + 25 + 36 + 36)
  })

  it.each(cells)(
    'for a $kind $inPackage in the package and $onMain on main: $outcome',
    async ({ kind, inPackage, onMain, outcome }) => {
      const branch = await branchOf(kind)
      await act(branch, inPackage, true)
      await act(branch, onMain, false)
      const before = await mainHas(branch)
      const found = await mergeOutcome(branch)
      expect(found).toBe(outcome)
      expect(await mainHas(branch)).toBe(found.startsWith('409') ? before : outcome)
    },
  )
})

interface Branch {
  readonly api: Api
  readonly handling: Handling
  readonly id: string
  /** The parents that it can be moved to. */
  readonly scopes: readonly string[]
}

async function branchOf(kind: Kind): Promise<Branch> {
  const engine = await openMagazine()
  const { api } = engine
  const handling = handlings[kind](engine)
  const made = async (name: string) => (await handling.make({ name })).id
  const scope = async (name: string) => (handling.scope ? (await handling.scope(name)).id : made(name))
  const scopes = [await scope('Place 1'), await scope('Place 2')]
  const id = await made('before')
  await api.packages.create({ repo, name: packageName })
  return { api, handling, id, scopes }
}

async function act({ handling, id, scopes }: Branch, does: StructureAct, here: boolean): Promise<void> {
  const on = here ? { packageName } : {}
  const side = here ? 'here' : 'there'
  const acts: { readonly [A in StructureAct]: () => Promise<unknown> } = {
    unchanged: async () => undefined,
    edited: () => handling.change(id, { description: side, ...on }),
    deleted: () => handling.remove(id, on),
    moved: () => handling.move(id, scopes[here ? 0 : 1] ?? '', on),
    renamed: () => handling.change(id, { name: 'wanted', ...on }),
    created: () => handling.make({ name: 'wanted', ...on }),
  }
  const made = await acts[does]()
  // Marks a new entity with the side that created it.
  if (does === 'created')
    await handling.change((made as VisibleRow).id, { description: `made ${side}`, ...on })
}

async function mergeOutcome(branch: Branch): Promise<string> {
  const { code, error } = await outcomeOf(branch.api.packages.merge(ref))
  if (code === 'done') return mainHas(branch)
  const conflicts = (error?.conflicts ?? []).map((conflict) => {
    const { path, kind } = conflict as MergeConflict
    return `${path === '' ? 'all' : path} ${kind}`
  })
  return `409 ${conflicts.join(', ')}`
}

async function mainHas({ handling, id, scopes }: Branch): Promise<string> {
  const all = await handling.all()
  const found = all.find((one) => one.id === id)
  const made = all
    .filter(({ description }) => description.startsWith('made'))
    .map(({ description }) => `one ${description}`)
  return [...(found ? givenOf(found, scopes) : ['gone']), ...made].join(', ')
}

function givenOf({ name, description, parentId = null }: VisibleRow, scopes: readonly string[]): string[] {
  const given = [
    ...(description === '' ? [] : [`description ${description}`]),
    ...(parentId === null ? [] : [`in ${1 + scopes.indexOf(parentId)}`]),
    ...(name === 'before' ? [] : [`name ${name}`]),
  ]
  return given.length === 0 ? ['as before'] : given
}
