import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire, type Principal } from '@quire/core'
import type { Store } from '@quire/core/ports'
import { fixedClock, seededIds } from '@quire/core/memory'
import { makeCaller, makeInsider } from './world-callers.ts'
import { articleFields, articleValues, repository, vaultFields } from './world-content.ts'
import { hiddenWords, makeFirstHidden, makeMoreHidden } from './world-hidden.ts'
import type { Making, WorldPlan } from './world-plan.ts'
import { makeQueries, makeStructure, type Structure } from './world-structure.ts'

/** One of two worlds. */
export interface World {
  readonly quire: Quire
  /** May not read the differing content. */
  readonly principal: Principal
  /** May read everything. */
  readonly insider: Principal
  /** Ids of the visible items, of the first hidden item, and of the hidden asset. */
  readonly ids: readonly string[]
  readonly structure: Structure
}

const configId = repository
const people = [
  ['ada@example.org', 'ben@example.org'],
  ['eve@hidden.example', 'mal@hidden.example'],
] as const

/** Creates a world, visible content first, so that it has the same ids in both worlds. */
export async function openWorld(store: Store, plan: WorldPlan): Promise<World> {
  const clock = fixedClock()
  const quire = createQuire({ store, clock, ids: seededIds(3, clock), baseUrl: 'http://quire.test' })
  const api = quire.as(systemIdentity('world'))
  const repo = await api.repositories.create({ name: configId })
  const isPublic = plan.caller === 'anonymous caller'
  await api.repositories.update({
    id: repo.id,
    public: isPublic,
    settings: { graphql: { public: isPublic } },
  })
  const role = await api.roles.create({ name: 'Inner circle' })
  await makeTypes(api, plan)
  const principal = await makeCaller(api, plan.caller, repo.id)
  const insider = await makeInsider(api, role.id)
  const structure = await makeStructure(api, hiddenWords[plan.hides.has('structure') ? plan.variant : 0])
  await makeQueries(api)
  const later = () => void clock.advance(1000)
  const making: Making = { api, quire, plan, roleId: role.id, structure, later }
  const visible = await makeVisible(making)
  const hidden = await makeFirstHidden(making, visible)
  const ids = [...visible, await makeLateArticle(making, visible), ...hidden]
  await makeMoreHidden(making, { visible, hidden })
  return { quire, principal, insider, ids, structure }
}

async function makeTypes(api: Api, { hides, variant }: WorldPlan): Promise<void> {
  await api.types.create({ name: 'author', fields: [{ name: 'title', kind: 'text' }] })
  await api.types.create({ name: 'article', fields: articleFields })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  await api.types.create({ name: 'vault', fields: vaultFields(hides.has('types') ? variant : 0) })
}

/**
 * Four articles, two authors and a file, all but one published. One user creates them, another
 * changes one of them.
 */
async function makeVisible({ api, quire, plan, structure, later }: Making): Promise<string[]> {
  const [maker, changer] = people[plan.hides.has('people') ? plan.variant : 0]
  const role = await api.roles.create({ name: 'Makers', bundles: ['bundle.publisher'] })
  for (const id of [maker, changer]) await api.users.create({ id, name: `Name of ${id}`, roles: [role.id] })
  const { items, assets } = quire.as({ kind: 'user', id: maker })
  const [outer, inner] = structure.folders
  const [red, blue] = structure.categories
  const ids: string[] = []
  for (const [index, name] of ['amber', 'birch', 'cedar', 'dune', 'elm', 'fir'].entries()) {
    later()
    const type = index < 2 ? 'author' : 'article'
    const fields = type === 'author' ? { title: name } : articleValues(name, index, ids.slice(0, 2))
    const folderId = [null, structure.plain, outer, inner, outer][index] ?? null
    const categories = [[], [red], [red, blue], [blue]][index] ?? []
    const item = { repositoryId: configId, type, name, fields, folderId, categories }
    const { id } = await items.create(item)
    if (index !== 5) await items.publish({ configId, id })
    ids.push(id)
  }
  later()
  const changed = { configId, id: ids[4] ?? '' }
  await quire.as({ kind: 'user', id: changer }).items.update({ ...changed, description: 'changed' })
  await items.publish(changed)
  const file = new File(['A text about all bodies of water, and a body'], 'waters.txt', {
    type: 'text/plain',
  })
  const asset = await assets.create({ configId, type: 'file', name: 'waters', file })
  await items.publish({ configId, id: asset.id })
  return [...ids, asset.id]
}

/** A visible item that refers to hidden ones, written after them. */
async function makeLateArticle(
  { api, structure, later }: Making,
  visible: readonly string[],
): Promise<string> {
  later()
  const fields = { ...articleValues('gum', 7, []), related: [visible[2] ?? ''] }
  const item = { repositoryId: configId, type: 'article', name: 'gum', folderId: structure.plain, fields }
  const { id } = await api.items.create(item)
  await api.items.publish({ configId, id })
  return id
}
