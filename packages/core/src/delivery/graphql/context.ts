import { type Item, QuireError } from '@quire/contract'
import DataLoader from 'dataloader'
import { mayDo } from '../../engine/access/permissions.ts'
import { inContext, requirePermission, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { categoryNames, type NamedCategory } from '../../content/items/item-json.ts'
import { itemsById, wholeView, type View } from '../../content/items/pick.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { findScope, knownRepository, mayReadInRepository, type Scope } from '../../engine/scope.ts'
import { publishedScope, isPublished, publicMembers, publishedView } from '../published/scope.ts'
import { statesIn, type StatedTranslation } from '../../content/translations/stamps.ts'
import { typeOf } from '../../content/types/find.ts'
import { countEntries } from './measure.ts'
import type { Filter } from '../../ports/index.ts'

/** The branch that an execution reads, and how it reads it. */
export interface ReadContext {
  readonly call: Call
  readonly scope: Scope
  readonly view: View
  /** Whether it reads with public access: only what is published. */
  readonly isPublic: boolean
  /** Members to filter and sort by; undefined means all. */
  readonly members?: ReadonlySet<string>
  /** A filter on every list. */
  readonly always?: Filter
  /** Loads items by id, in batches; null for an item that the caller may not read. */
  readonly items: DataLoader<string, Item | null>
  /** Loads categories by id, in batches; null for a deleted category. */
  readonly categories: DataLoader<string, NamedCategory | null>
  /** Loads the translations of items with their states, in batches. */
  readonly translations: DataLoader<string, readonly StatedTranslation[]>
}

/** The arguments of a field that name where it reads or writes. */
export interface ScopeArguments {
  /** Default: the package of the request. */
  readonly package?: string | null
  readonly locale?: string | null
  readonly fallback?: boolean | null
}

/** What the resolvers of one execution share. */
export interface GraphContext {
  readonly call: Call
  readonly configId: string
  /** The package that the request names. */
  readonly packageName: string | undefined
  /** The read context that arguments name. Errors: `not_found`; `invalid` for an unknown locale. */
  readonly openReadContext: (args: ScopeArguments) => Promise<ReadContext>
  /**
   * Counts the entries of a list within an item. Errors: GraphQLError when an execution has read
   * too many.
   */
  readonly countEntries: (entries: number) => void
}

/** Creates the context of an execution. */
export function createContext(
  call: Call,
  { configId, packageName }: { configId: string; packageName?: string | undefined },
): GraphContext {
  const known = new Map<string, Promise<ReadContext>>()
  return {
    call,
    configId,
    packageName,
    countEntries: countEntries(),
    openReadContext(args) {
      const name = args.package ?? packageName
      const key = JSON.stringify([name, args.locale, args.fallback])
      const existing = known.get(key)
      if (existing) return existing
      const made = createReadContext(callIn(call, args), configId, name)
      known.set(key, made)
      return made
    },
  }
}

/**
 * The call in the locale that arguments name. Errors: `invalid` for all locales, because fields have
 * the types of single values.
 */
export function callIn(call: Call, { locale, fallback }: ScopeArguments): Call {
  if (locale === '*') throw invalid([{ path: 'locale', message: 'must be one locale in GraphQL' }])
  return inContext(call, { locale, fallback })
}

async function createReadContext(
  call: Call,
  configId: string,
  packageName: string | undefined,
): Promise<ReadContext> {
  if (await hasPublicAccessOnly(call, configId, packageName))
    return publicContext(call, configId, packageName)
  const scope = await findScope(call, { configId, packageName })
  requirePermission(call, 'graphql.query', { repositoryId: scope.repository.id })
  return { ...withLoaders(call, scope, wholeView), isPublic: false }
}

/**
 * Whether the caller is anonymous, or lacks permission in a repository that is open to the public.
 */
async function hasPublicAccessOnly(
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

async function publicContext(
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
  const translations = new DataLoader<string, readonly StatedTranslation[]>(async (ids) => {
    const heads = await call.store.entities.getMany(scope.branch, 'item', ids)
    const known = new Map(heads.map((head) => [head.id, head]))
    const yieldToLoop = yieldingToLoop()
    const states: (readonly StatedTranslation[])[] = []
    for (const id of ids) {
      const head = known.get(id)
      states.push(head ? statesIn(await typeOf(call, head), head) : [])
      await yieldToLoop()
    }
    return states
  })
  return { call, scope, view, items, categories, translations }
}
