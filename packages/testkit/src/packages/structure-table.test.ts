import type { Api, MergeConflict } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { openMagazine, repo, type MagazineEngine } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'
import { structureActs, structureTables, type StructureAct } from './structure-tables.ts'

const configId = repo
const packageName = 'branch'
const ref = { repo, packageName }

type Kind = keyof typeof structureTables
type Line = { readonly packageName?: string }

/** What is done to things of a kind, in one shape. `name` is what it is called beside others: of sections and pages, the slug. */
interface Handling {
  /** Makes what things stand in. Default: one of them. */
  place?(name: string): Promise<{ id: string }>
  make(said: { name: string } & Line): Promise<{ id: string }>
  change(id: string, said: { name?: string; description?: string } & Line): Promise<unknown>
  move(id: string, parentId: string, line: Line): Promise<unknown>
  remove(id: string, line: Line): Promise<unknown>
  all(): Promise<readonly Shown[]>
}

interface Shown {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly parentId?: string | null
}

const handlings: { readonly [K in Kind]: (engine: MagazineEngine) => Handling } = {
  folder: ({ api: { folders } }) => ({
    make: (said) => folders.create({ configId, ...said }),
    change: (id, said) => folders.update({ configId, id, ...said }),
    move: (id, parentId, line) => folders.move({ configId, id, parentId, ...line }),
    remove: (id, line) => folders.delete({ configId, id, ...line }),
    all: async () => (await folders.list({ configId, limit: 1000 })).items,
  }),
  taxonomy: ({ api: { taxonomies } }) => ({
    make: (said) => taxonomies.create({ configId, ...said }),
    change: (id, said) => taxonomies.update({ configId, id, ...said }),
    move: async () => undefined,
    remove: (id, line) => taxonomies.delete({ configId, id, ...line }),
    all: async () => (await taxonomies.list({ configId, limit: 1000 })).items,
  }),
  category: ({ api: { categories }, taxonomyId }) => ({
    make: (said) => categories.create({ configId, taxonomyId, ...said }),
    change: (id, said) => categories.update({ configId, taxonomyId, id, ...said }),
    move: (id, parentId, line) => categories.move({ configId, taxonomyId, id, parentId, ...line }),
    remove: (id, line) => categories.delete({ configId, taxonomyId, id, ...line }),
    all: async () => (await categories.list({ configId, taxonomyId, limit: 1000 })).items,
  }),
  site: ({ api: { sites } }) => ({
    make: ({ name, ...line }) =>
      sites.create({ configId, name, slug: name.toLowerCase().replace(' ', '-'), ...line }),
    change: (siteId, { name: slug, ...said }) =>
      sites.update({ configId, siteId, ...(slug !== undefined && { slug }), ...said }),
    move: async () => undefined,
    remove: (siteId, line) => sites.delete({ configId, siteId, ...line }),
    all: async () =>
      (await sites.list({ configId, limit: 1000 })).items.map((one) => ({ ...one, name: one.slug })),
  }),
  section: ({ api: { sections }, siteId }) => ({
    make: (said) => sections.create({ configId, siteId, ...said }),
    change: (id, { name: slug, ...said }) =>
      sections.update({ configId, siteId, id, ...(slug !== undefined && { slug }), ...said }),
    move: (id, parentId, line) => sections.move({ configId, siteId, id, parentId, ...line }),
    remove: (id, line) => sections.delete({ configId, siteId, id, ...line }),
    all: async () =>
      (await sections.list({ configId, siteId, limit: 1000 })).items.map((one) => ({
        ...one,
        name: one.slug,
      })),
  }),
  page: ({ api: { sections, pages }, siteId, sectionId }) => ({
    place: (name) => sections.create({ configId, siteId, name }),
    make: (said) => pages.create({ configId, siteId, sectionId, ...said }),
    change: (id, { name: slug, ...said }) =>
      pages.update({ configId, siteId, id, ...(slug !== undefined && { slug }), ...said }),
    move: (id, parentId, line) => pages.move({ configId, siteId, id, sectionId: parentId, ...line }),
    remove: (id, line) => pages.delete({ configId, siteId, id, ...line }),
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
  it('has every pair of acts', () => {
    expect(cells).toHaveLength(36 + 25 + 36 + 25 + 36 + 36)
  })

  it.each(cells)(
    'of a $kind $inPackage in the package and $onMain on main says: $outcome',
    async ({ kind, inPackage, onMain, outcome }) => {
      const branch = await branchOf(kind)
      await act(branch, inPackage, true)
      await act(branch, onMain, false)
      const before = await mainSays(branch)
      const found = await mergeOutcome(branch)
      expect(found).toBe(outcome)
      expect(await mainSays(branch)).toBe(found.startsWith('409') ? before : outcome)
    },
  )
})

interface Branch {
  readonly api: Api
  readonly handling: Handling
  readonly id: string
  /** What it can be moved to. */
  readonly places: readonly string[]
}

async function branchOf(kind: Kind): Promise<Branch> {
  const engine = await openMagazine()
  const { api } = engine
  const handling = handlings[kind](engine)
  const made = async (name: string) => (await handling.make({ name })).id
  const place = async (name: string) => (handling.place ? (await handling.place(name)).id : made(name))
  const places = [await place('Place 1'), await place('Place 2')]
  const id = await made('before')
  await api.packages.create({ repo, name: packageName })
  return { api, handling, id, places }
}

async function act({ handling, id, places }: Branch, does: StructureAct, here: boolean): Promise<void> {
  const line = here ? { packageName } : {}
  const side = here ? 'here' : 'there'
  const acts: { readonly [A in StructureAct]: () => Promise<unknown> } = {
    unchanged: async () => undefined,
    edited: () => handling.change(id, { description: side, ...line }),
    deleted: () => handling.remove(id, line),
    moved: () => handling.move(id, places[here ? 0 : 1] ?? '', line),
    renamed: () => handling.change(id, { name: 'wanted', ...line }),
    created: () => handling.make({ name: 'wanted', ...line }),
  }
  const made = await acts[does]()
  // What was made is told by who made it.
  if (does === 'created') await handling.change((made as Shown).id, { description: `made ${side}`, ...line })
}

async function mergeOutcome(branch: Branch): Promise<string> {
  const { code, error } = await outcomeOf(branch.api.packages.merge(ref))
  if (code === 'done') return mainSays(branch)
  const conflicts = (error?.conflicts ?? []).map((conflict) => {
    const { path, kind } = conflict as MergeConflict
    return `${path === '' ? 'all' : path} ${kind}`
  })
  return `409 ${conflicts.join(', ')}`
}

async function mainSays({ handling, id, places }: Branch): Promise<string> {
  const all = await handling.all()
  const found = all.find((one) => one.id === id)
  const made = all
    .filter(({ description }) => description.startsWith('made'))
    .map(({ description }) => `one ${description}`)
  return [...(found ? saidOf(found, places) : ['gone']), ...made].join(', ')
}

function saidOf({ name, description, parentId = null }: Shown, places: readonly string[]): string[] {
  const said = [
    ...(description === '' ? [] : [`said ${description}`]),
    ...(parentId === null ? [] : [`in ${1 + places.indexOf(parentId)}`]),
    ...(name === 'before' ? [] : [`called ${name}`]),
  ]
  return said.length === 0 ? ['as before'] : said
}
