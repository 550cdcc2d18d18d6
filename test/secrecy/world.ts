import type { Api } from '@quire/contract'
import { anonymous, createQuire, systemIdentity, type Quire, type Who } from '@quire/core'
import type { Store } from '@quire/core/ports'
import { fixedClock, seededIds } from '@quire/testkit'
import { articleFields, articleValues, repository, vaultFields } from './world-content.ts'

/** Which of two worlds that differ in nothing but what the caller may not read. */
type Variant = 0 | 1

/** What the caller may not read, and in which the worlds differ. */
export type Hidden = 'limited' | 'types' | 'packages' | 'drafts' | 'people'

/** One of two worlds. */
export interface World {
  readonly quire: Quire
  /** Who may not read what differs. */
  readonly who: Who
  /** Who may. */
  readonly insider: Who
  /** Ids of items: of the visible ones, of the first hidden one, and of the hidden asset. */
  readonly ids: readonly string[]
}

/** How a world is made. */
export interface WorldPlan {
  readonly hides: ReadonlySet<Hidden>
  readonly variant: Variant
  /** Who asks: nobody in a public repository, the reader of all types, or the reader of two of three. */
  readonly caller: 'nobody' | 'reader' | 'typed reader'
}

interface Making {
  readonly api: Api
  readonly quire: Quire
  readonly plan: WorldPlan
  readonly roleId: string
  /** A second later, so that all dates differ. */
  readonly later: () => void
}

const configId = repository
/** The words that only one of the two worlds holds. */
const hiddenWords = ['umbra', 'zenith'] as const
const people = [
  ['ada@example.org', 'ben@example.org'],
  ['eve@hidden.example', 'mal@hidden.example'],
] as const

/** Makes a world: what is visible first, so that both worlds give it the same ids. */
export async function openWorld(store: Store, plan: WorldPlan): Promise<World> {
  const clock = fixedClock()
  const quire = createQuire({ store, clock, ids: seededIds(3, clock), baseUrl: 'http://quire.test' })
  const api = quire.as(systemIdentity('world'))
  const repo = await api.repositories.create({ name: configId })
  await api.repositories.update({ id: repo.id, public: plan.caller === 'nobody' })
  const role = await api.roles.create({ name: 'Inner circle' })
  await makeTypes(api, plan)
  const who = await makeCaller(api, plan, repo.id)
  const insider = await makeInsider(api, role.id)
  const making: Making = { api, quire, plan, roleId: role.id, later: () => void clock.advance(1000) }
  const visible = await makeVisible(making)
  const hidden = await makeHidden(making, visible)
  return { quire, who, insider, ids: [...visible, ...hidden] }
}

async function makeTypes(api: Api, { hides, variant }: WorldPlan): Promise<void> {
  await api.types.create({ name: 'author', fields: [{ name: 'title', kind: 'text' }] })
  await api.types.create({ name: 'article', fields: articleFields })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  await api.types.create({ name: 'vault', fields: vaultFields(hides.has('types') ? variant : 0) })
}

async function makeCaller(api: Api, { caller }: WorldPlan, repositoryId: string): Promise<Who> {
  if (caller === 'nobody') return anonymous
  const keys = ['items.read', 'assets.read', 'assets.download']
  const repos =
    caller === 'reader'
      ? { [repositoryId]: keys }
      : Object.fromEntries(['article', 'author', 'file'].map((type) => [`${repositoryId}:${type}`, keys]))
  const role = await api.roles.create({ name: 'Readers', permissions: { repos } })
  const { id } = await api.serviceAccounts.create({ name: 'Reader', roles: [role.id] })
  return { kind: 'service', id }
}

async function makeInsider(api: Api, inner: string): Promise<Who> {
  const role = await api.roles.create({ name: 'All', bundles: ['bundle.administrator'] })
  const { id } = await api.serviceAccounts.create({ name: 'Insider', roles: [role.id, inner] })
  return { kind: 'service', id }
}

/** Four articles, two authors: all but one published. Made by one user, the last of them changed by another. */
async function makeVisible({ api, quire, plan, later }: Making): Promise<string[]> {
  const [maker, changer] = people[plan.hides.has('people') ? plan.variant : 0]
  const role = await api.roles.create({ name: 'Makers', bundles: ['bundle.publisher'] })
  for (const id of [maker, changer]) await api.users.create({ id, name: `Name of ${id}`, roles: [role.id] })
  const { items } = quire.as({ kind: 'user', id: maker })
  const ids: string[] = []
  for (const [index, name] of ['amber', 'birch', 'cedar', 'dune', 'elm', 'fir'].entries()) {
    later()
    const type = index < 2 ? 'author' : 'article'
    const fields = type === 'author' ? { title: name } : articleValues(name, index, ids.slice(0, 2))
    const { id } = await items.create({ repositoryId: configId, type, name, fields })
    if (index !== 5) await items.publish({ configId, id })
    ids.push(id)
  }
  later()
  const changed = { configId, id: ids[4] ?? '' }
  await quire.as({ kind: 'user', id: changer }).items.update({ ...changed, description: 'changed' })
  await items.publish(changed)
  return ids
}

async function makeHidden(making: Making, visible: readonly string[]): Promise<string[]> {
  const { api, plan, roleId, later } = making
  const { hides, variant } = plan
  const limited = { type: 'article', readPerm: [roleId] }
  const first = await makeItem(making, limited, 1 + variant * 5)
  const asset = await makeAsset(making)
  later()
  // What can be seen refers to what cannot. From here on the worlds may differ in how much there is.
  const pointing = { configId, id: visible[3] ?? '' }
  await api.items.update({ ...pointing, fields: { related: [first, visible[2] ?? ''] } })
  await api.items.publish(pointing)
  if (variant === 1) await makeItem(making, limited, 2)
  if (hides.has('types')) await makeVaults(making)
  if (hides.has('packages')) await makePackage(making, visible)
  if (hides.has('drafts')) await makeDrafts(making, visible)
  return [first, asset]
}

/** A published file of another name, type and size. */
async function makeAsset({ api, plan, roleId }: Making): Promise<string> {
  const word = hiddenWords[plan.variant]
  const file = new File([`${word} `.repeat(1 + plan.variant)], `${word}.${plan.variant ? 'md' : 'txt'}`)
  const about = { configId, type: 'file', name: word, readPerm: [roleId] }
  const { id } = await api.assets.create({ ...about, file })
  await api.items.publish({ configId, id })
  return id
}

/** An item of the variant's word, published where it is on main. */
async function makeItem(
  { api, plan, later }: Making,
  item: { readonly type: string; readonly readPerm?: string[]; readonly packageName?: string },
  number: number,
): Promise<string> {
  later()
  const word = hiddenWords[plan.variant]
  const fields = item.type === 'vault' ? { secret: word, code: number } : articleValues(word, number, [])
  const { id } = await api.items.create({
    repositoryId: configId,
    ...item,
    name: `${word} ${number}`,
    fields,
  })
  if (item.packageName === undefined) await api.items.publish({ configId, id })
  return id
}

async function makeVaults(making: Making): Promise<void> {
  await makeItem(making, { type: 'vault' }, 3)
  if (making.plan.variant === 1) await makeItem(making, { type: 'vault' }, 4)
}

/** A package of another name, which changes what can be seen and holds what is nowhere else. */
async function makePackage(making: Making, visible: readonly string[]): Promise<void> {
  const { api, plan } = making
  const packageName = packageNames[plan.variant]
  await api.packages.create({ repo: configId, name: packageName })
  const name = hiddenWords[plan.variant]
  await api.items.update({ configId, id: visible[2] ?? '', packageName, name, fields: { title: name } })
  await makeItem(making, { type: 'article', packageName }, 3)
}

/** The name of the package of each world. */
export const packageNames = ['covert', 'veiled'] as const

/** Drafts over what is published, of one item or of two, and items that were never published. */
async function makeDrafts(making: Making, visible: readonly string[]): Promise<void> {
  const { api, plan, later } = making
  const word = hiddenWords[plan.variant]
  for (const id of visible.slice(2, 3 + plan.variant)) {
    later()
    const fields = articleValues(word, 6, [])
    await api.items.update({
      configId,
      id,
      name: word,
      slug: `${word}-${id.slice(-4)}`.toLowerCase(),
      fields,
    })
  }
  await api.items.create({ repositoryId: configId, type: 'article', name: `never ${word}` })
}
