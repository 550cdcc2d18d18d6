import { QuireError, type Item } from '@quire/contract'
import DataLoader from 'dataloader'
import { mayDo } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { categoryNames, type NamedCategory } from '../../content/items/item-json.ts'
import { itemsById, wholeView, type View } from '../../content/items/pick.ts'
import { findScope, knownRepository, mayReadInRepository, type Scope } from '../../engine/scope.ts'
import { publishedScope, isPublished, publicMembers, publishedView } from '../published/scope.ts'
import { countEntries } from './measure.ts'
import type { Filter } from '../../ports/index.ts'

/** Where an execution reads, and as whom. */
export interface ReadContext {
  readonly call: Call
  readonly scope: Scope
  readonly view: View
  /** Whether everybody reads so: what is published, and nothing else. */
  readonly isPublic: boolean
  /** Members that may be filtered and sorted by. Absent: all. */
  readonly members?: ReadonlySet<string>
  readonly always?: Filter
  /** Items by id, those that are asked for together at once; null for what the caller may not read. */
  readonly items: DataLoader<string, Item | null>
  /** Categories by id in the same way; null for those that are gone. */
  readonly categories: DataLoader<string, NamedCategory | null>
}

/** What the resolvers of one execution share. */
export interface GraphContext {
  readonly call: Call
  readonly configId: string
  /** The package of the request. */
  readonly packageName: string | undefined
  /** The branch of a package by its name; undefined: that of the request. Errors: `not_found`. */
  readonly reading: (packageName: string | null | undefined) => Promise<ReadContext>
  /** Counts entries of a list that stands in an item. Errors: GraphQLError for too many in all. */
  readonly countEntries: (entries: number) => void
}

/** The context of an execution. */
export function contextOf(
  call: Call,
  { configId, packageName }: { configId: string; packageName?: string | undefined },
): GraphContext {
  const known = new Map<string, Promise<ReadContext>>()
  return {
    call,
    configId,
    packageName,
    countEntries: countEntries(),
    reading(named) {
      const name = named ?? packageName
      const key = name ?? ''
      const existing = known.get(key)
      if (existing) return existing
      const made = readingOf(call, configId, name)
      known.set(key, made)
      return made
    },
  }
}

async function readingOf(
  call: Call,
  configId: string,
  packageName: string | undefined,
): Promise<ReadContext> {
  if (await readsAsEverybody(call, configId, packageName)) return publicReading(call, configId, packageName)
  const scope = await findScope(call, { configId, packageName })
  requirePermission(call, 'graphql.query', { repositoryId: scope.repository.id })
  return { ...withLoaders(call, scope, wholeView), isPublic: false }
}

/** Whether nobody in particular asks; or somebody who may not, where everybody may. */
async function readsAsEverybody(
  call: Call,
  configId: string,
  packageName: string | undefined,
): Promise<boolean> {
  if (call.identity.kind === 'anonymous') return true
  const repository = await knownRepository(call, configId)
  if (packageName !== undefined || !repository?.public || !repository.settings.graphql.public) return false
  const { id } = repository
  const mayAsk = mayDo(call.identity.permissions, 'graphql.query', { repositoryId: id })
  return !(mayAsk && mayReadInRepository(call, id))
}

async function publicReading(
  call: Call,
  configId: string,
  packageName: string | undefined,
): Promise<ReadContext> {
  const at = await publishedScope(call, configId)
  if (packageName !== undefined) throw new QuireError('unauthorized')
  const loaders = withLoaders(at.call, at.scope, publishedView)
  return { ...loaders, isPublic: true, members: publicMembers, always: isPublished }
}

function withLoaders(call: Call, scope: Scope, view: View): Omit<ReadContext, 'isPublic'> {
  const items = new DataLoader<string, Item | null>(async (ids) => {
    const found = await itemsById(call, { scope, view, ids })
    return ids.map((id) => found.get(id) ?? null)
  })
  const categories = new DataLoader<string, NamedCategory | null>(async (ids) => {
    const names = await categoryNames(call, scope.branch, ids)
    return ids.map((id) => names.get(id) ?? null)
  })
  return { call, scope, view, items, categories }
}

/** What a graph is asked of. */
interface GraphScope {
  readonly configId: string
  readonly packageName?: string | undefined
}

/**
 * Errors: `unauthorized` for nobody in particular, unless the repository is open to everybody: whether there is one or not, and on
 * every package.
 */
export async function requireOpenGraph(call: Call, { configId, packageName }: GraphScope): Promise<void> {
  if (call.identity.kind !== 'anonymous') return
  const repository = await knownRepository(call, configId)
  const isOpen = repository?.public && repository.settings.graphql.public
  if (!isOpen || packageName !== undefined) throw new QuireError('unauthorized')
}
