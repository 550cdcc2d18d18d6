import type { Api, ErrorCode } from '@quire/contract'
import fc from 'fast-check'
import { codeOf } from '../api/host.ts'
import { anArticle } from '../api/delivery/magazine.ts'
import { gifOfFrames } from '../media/bombs.ts'
import { repo, type MagazineEngine } from './magazine-engine.ts'
import { oneOf, structureCalls, structureDeeds, type StructureTaking } from './structure-deeds.ts'

const configId = repo

/**
 * One step on main or in a package. Its numbers choose among the entities that exist when it is
 * run.
 */
export interface Step {
  readonly does: Deed
  /** The name of the package; null for main. */
  readonly on: string | null
  readonly item: number
  readonly value: number
}

export type Deed = (typeof deeds)[number]

/** All possible deeds. */
export const deeds = [
  'create',
  'edit',
  'rename',
  'move',
  'delete',
  'undelete',
  'archive',
  'unarchive',
  'publish',
  'unpublish',
  'upload',
  'replace',
  'categorize',
  'decategorize',
  ...structureDeeds,
] as const

/** The deeds of random histories, repeated by weight: most of them write content. */
export const weighed: readonly Deed[] = [
  ...deeds,
  'create',
  'edit',
  'edit',
  'edit',
  'rename',
  'publish',
  'replace',
]

/** An arbitrary that interleaves steps on some branches. */
export function stepsOn(
  branches: readonly (string | null)[],
  { maxLength = 25, does = weighed }: { maxLength?: number; does?: readonly Deed[] } = {},
): fc.Arbitrary<Step[]> {
  const step = fc.record({
    does: fc.constantFrom(...does),
    on: fc.constantFrom(...branches),
    item: fc.nat(30),
    value: fc.nat(40),
  })
  return fc.array(step, { maxLength, size: 'max' })
}

/** The state of a history in an engine. */
export interface History {
  readonly engine: MagazineEngine
  /** All items created on any branch, in order. */
  readonly ids: string[]
  /** The items that have a file. */
  readonly assets: string[]
  readonly folders: string[]
  readonly categories: string[]
}

/**
 * Starts a history with articles on main, of which one is published, one has a draft newer than its
 * published version, one is archived and one deleted; with two pictures, one of them with such a
 * draft; and with a few folders and categories.
 */
export async function beginHistory(engine: MagazineEngine): Promise<History> {
  const history: History = { engine, ids: [], assets: [], folders: [...engine.folders], categories: [] }
  const on = null
  for (let value = 0; value < 6; value++) await take(history, { does: 'create', on, item: 0, value })
  for (const value of [1, 2]) await take(history, { does: 'upload', on, item: 0, value })
  for (const value of [1, 2, 3]) await take(history, { does: 'createCategory', on, item: value, value })
  await take(history, { does: 'createFolder', on, item: 1, value: 1 })
  for (const [does, item] of [
    ['categorize', 0],
    ['categorize', 1],
    ['publish', 0],
    ['publish', 1],
    ['edit', 1],
    ['archive', 2],
    ['delete', 3],
    ['publish', 6],
    ['replace', 0],
  ] as const)
    await take(history, { does, on, item, value: 1 })
  return history
}

/** Runs steps one after another, a second apart. */
export async function takeAll(history: History, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await take(history, step)
}

// Errors with which a step may be refused. The history then continues.
const refusals: ReadonlySet<ErrorCode | 'other'> = new Set([
  'not_found',
  'invalid_state',
  'slug_taken',
  'not_publishable',
  'referenced',
  'name_taken',
])

// These steps name a target that may be deleted, or that may be a descendant.
const choosing: ReadonlySet<Deed> = new Set([
  'move',
  'categorize',
  'createFolder',
  'moveFolder',
  'createCategory',
  'moveCategory',
])

/**
 * Runs a step. Returns whether it succeeded, false for an expected refusal. Rethrows other errors.
 */
async function take(history: History, step: Step): Promise<boolean> {
  const { api, clock } = history.engine
  clock.advance(1000)
  try {
    await calls[step.does](api, { history, step, at: atItem(history, step) })
    return true
  } catch (error) {
    const code = codeOf(error)
    if (refusals.has(code) || (code === 'invalid' && choosing.has(step.does))) return false
    throw error
  }
}

interface At {
  readonly configId: string
  readonly id: string
  readonly packageName?: string
}

function atItem({ ids, assets }: History, { does, on, item }: Step): At {
  const among = does === 'replace' ? assets : ids
  return { configId, id: among[item % among.length] ?? 'CONT_none', ...(on !== null && { packageName: on }) }
}

interface Taking {
  readonly history: History
  readonly step: Step
  readonly at: At
}

const calls: { readonly [D in Deed]: (api: Api, taking: Taking) => Promise<unknown> } = {
  async create(api, { history, step: { on, value } }) {
    const fields = value % 4 === 0 ? {} : { title: `Title ${value}`, price: value }
    const name = `Article ${value}`
    const { id } = await api.items.create(
      anArticle({ name, fields, ...(on !== null && { packageName: on }) }),
    )
    history.ids.push(id)
  },
  edit: (api, { history, step, at }) => api.items.update({ ...at, ...editOf(history, step) }),
  rename: (api, { step, at }) => api.items.update({ ...at, slug: `slug-${step.value}` }),
  move: (api, { history, step, at }) =>
    api.items.move({ ...at, folderId: oneOf(history.folders, step.value) }),
  delete: (api, { at }) => api.items.delete(at),
  undelete: (api, { at }) => api.items.undelete(at),
  archive: (api, { at }) => api.items.archive(at),
  unarchive: (api, { at }) => api.items.unarchive(at),
  publish: (api, { at }) => api.items.publish(at),
  unpublish: (api, { at }) => api.items.unpublish(at),
  async upload(api, { history, step: { on, value } }) {
    const given = { name: `Picture ${value}`, fields: { title: `Title ${value}`, price: value } }
    const file = pictureOf(value)
    const { id } = await api.assets.create({
      configId,
      ...given,
      file,
      ...(on !== null && { packageName: on }),
    })
    history.ids.push(id)
    history.assets.push(id)
  },
  replace(api, { step: { value }, at: { id: assetId, ...branch } }) {
    const file = pictureOf(value)
    if (value % 3 === 0) return api.renditions.upload({ ...branch, assetId, rendition: 'poster', file })
    if (value % 3 === 1) return api.assets.replace({ ...branch, assetId, file })
    return api.items.update({ ...branch, id: assetId, focalPoint: { x: value / 40, y: 0 } })
  },
  categorize: (api, { history, step, at }) =>
    api.items.categorize({ ...at, categoryId: categoryFor(history, step) }),
  decategorize: (api, { history, step, at }) =>
    api.items.decategorize({ ...at, categoryId: categoryFor(history, step) }),
  ...structureCallsIn(),
}

type StructureCalls = {
  readonly [D in (typeof structureDeeds)[number]]: (api: Api, taking: Taking) => Promise<unknown>
}

/** The structure's deeds, adapted to a history. */
function structureCallsIn(): StructureCalls {
  const entries = structureDeeds.map((deed) => [
    deed,
    (api: Api, { history, step }: Taking) => structureCalls[deed](api, structureTaking(history, step)),
  ])
  // The same names, with calls that take a history.
  return Object.fromEntries(entries) as StructureCalls
}

function structureTaking(
  { engine, folders, categories }: History,
  { on, item, value }: Step,
): StructureTaking {
  const branch = on === null ? {} : { packageName: on }
  return { taxonomyId: engine.taxonomyId, folders, categories, branch, item, value }
}

function categoryFor({ categories }: History, { value }: Step): string {
  return categories[value % categories.length] ?? 'CATG_none'
}

/** A different picture for each value. */
function pictureOf(value: number): File {
  return new File([Uint8Array.from(gifOfFrames(1 + value))], `${value}.gif`)
}

type Edit = Partial<Parameters<Api['items']['update']>[0]>

function editOf({ ids }: History, { value }: Step): Edit {
  const edits: readonly Edit[] = [
    { name: `Named ${value}` },
    { description: `First ${value}\nsecond\nthird` },
    { description: `First\nsecond\nthird ${value}` },
    { fields: { title: `Title ${value}` } },
    { fields: { price: value } },
    { fields: { price: null, notes: `Note ${value}` } },
    { fields: { tags: [`tag ${value}`] } },
    { fields: { related: ids.slice(value % ids.length).slice(0, 2) } },
    { fields: { seo: { title: `Seo ${value}` } } },
  ]
  return edits[value % edits.length] ?? {}
}
