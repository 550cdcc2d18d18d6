import type { Api, EventMessage, Repository } from '@quire/contract/api'
import { isQuireError } from '../is-quire-error.ts'

const content = 'ITEM|FOLDER|TAXONOMY|CATEGORY|REPOSITORY'
const sites = 'ITEM|SITE|SECTION|PAGE'

/** The beginnings of the names of the events that a group depends on. Other groups have no events. */
const subjects: { readonly [G in keyof Api]?: string } = {
  items: content,
  published: content,
  graphql: content,
  queries: `${content}|QUERY`,
  savedQueries: 'QUERY',
  renditions: 'ITEM|RENDITION_PRESET',
  renditionPresets: 'RENDITION_PRESET',
  folders: 'FOLDER',
  taxonomies: 'TAXONOMY',
  categories: 'TAXONOMY|CATEGORY',
  references: sites,
  dependencies: sites,
  sites,
  sections: sites,
  pages: sites,
  activity: '[A-Z]+',
  packages: '[A-Z]+',
  workflow: 'PACKAGE',
  autoPackageRules: 'AUTO_PACKAGE_RULE',
  webhooks: 'WEBHOOK',
  repositories: 'REPOSITORY',
}

/** The id and name of a repository, as `repositories.list` returns them. */
export type KnownRepository = Pick<Repository, 'id' | 'name'>

/** An event of `events.stream`, as far as it matters here. */
export type ChangeEvent = Pick<EventMessage, 'event' | 'repositoryId' | 'packageName' | 'entityId'>

/**
 * Whether the data of a query may have changed with an event. Accounts, roles and types have no
 * events. An event has the id of its repository: a name that is not in `repositories` may be its name.
 */
export function isAffected(
  [source, group, operation, input]: readonly unknown[],
  event: ChangeEvent,
  repositories: readonly KnownRepository[] = [],
): boolean {
  const about = subjects[group as keyof Api]
  if (source !== 'quire' || about === undefined) return false
  const name = [group, operation].join('.')
  const members: Members = Object(input)
  // What is in a package also changes with the package itself.
  const subject = members['packageName'] === undefined ? about : `${about}|PACKAGE`
  if (!new RegExp(`^(?:${subject})_`).test(event.event) || !isInRepository(members, event, repositories))
    return false
  // A package shows what it has not changed as it is on main, so main affects every branch.
  if (event.packageName !== null)
    return members['packageName'] === event.packageName || /^(?:packages|workflow|activity)\./.test(name)
  // Saving a draft changes nothing that is published.
  if (group === 'published' && /^ITEM_(?:CREATED|UPDATED)$/.test(event.event)) return false
  return !isOfAnother(name, members, event)
}

type Members = Readonly<Record<string, unknown>>

/** Whether a query reads one item and nothing that it refers to, and the event is about another item. */
function isOfAnother(name: string, { id, include }: Members, { event, entityId }: ChangeEvent): boolean {
  const readsOne = /^(?:items\.(?:get|versions|diff)|published\.item)$/.test(name)
  return readsOne && include === undefined && event.startsWith('ITEM_') && id !== entityId
}

function isInRepository(
  { configId, repo = configId, repositoryId = repo }: Members,
  event: ChangeEvent,
  known: readonly KnownRepository[],
): boolean {
  if (typeof repositoryId !== 'string' || repositoryId === event.repositoryId) return true
  // Names are in kebab case, so this is the id of another repository.
  if (repositoryId.startsWith('REPO_')) return false
  const named = known.find(({ name }) => name === repositoryId)
  return named ? named.id === event.repositoryId : known.every(({ id }) => id !== event.repositoryId)
}

/** The part of TanStack's `QueryClient` that invalidation needs. */
export interface InvalidatingClient {
  invalidateQueries(filters: { predicate(query: { queryKey: readonly unknown[] }): boolean }): Promise<void>
}

/**
 * Invalidates the queries that are affected by any of these events (see `isAffected`). Those in use
 * are fetched again; the promise waits for that.
 */
export function invalidate(
  queryClient: InvalidatingClient,
  events: readonly ChangeEvent[],
  repositories: readonly KnownRepository[] = [],
): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => events.some((event) => isAffected(queryKey, event, repositories)),
  })
}

/** Options of `followEvents`. */
export interface FollowOptions {
  /** Ends it. */
  readonly signal: AbortSignal
  /** Only events of these repositories. Default: all that you may see. */
  readonly repositories?: readonly KnownRepository[]
  /** Milliseconds until a stream that ended or broke is opened again. Default: 2000. */
  readonly retryMs?: number
}

/**
 * Invalidates the affected queries at each event, from now until the signal is aborted. A stream
 * that ended or broke is continued after its last event; without one, all queries of Quire are
 * invalidated. Errors: QuireError for a stream that would be refused again, such as `unauthorized`.
 * @example
 * followEvents(quire, queryClient, { signal: leaving.signal }).catch(report)
 */
export async function followEvents(
  quire: Pick<Api, 'events'>,
  queryClient: InvalidatingClient,
  { signal, repositories = [], retryMs = 2000 }: FollowOptions,
): Promise<void> {
  const pass = gathering((events) => invalidate(queryClient, events, repositories))
  const only = repositories.length > 0 && { repositories: repositories.map(({ id }) => id) }
  let last: { lastEventId?: string } = {}
  for (let isAgain = false; !signal.aborted; isAgain = true) {
    try {
      const stream = await quire.events.stream({ ...only, ...last }, { signal })
      if (isAgain && !last.lastEventId)
        await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'quire' })
      for await (const event of stream) {
        last = { lastEventId: event.id }
        pass(event)
      }
    } catch (error) {
      if (!signal.aborted && isRefused(error)) throw error
    }
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(retryMs)])
    if (!waiting.aborted) await new Promise((resolve) => waiting.addEventListener('abort', resolve))
  }
}

function isRefused(error: unknown): boolean {
  return isQuireError(error) && !/^(?:unavailable|too_many_requests)$/.test(error.code)
}

/** Passes on what happens within 50 ms together, so that a bulk change is one invalidation. */
function gathering(pass: (events: readonly ChangeEvent[]) => Promise<void>): (event: ChangeEvent) => void {
  const events: ChangeEvent[] = []
  // A query reports by itself why it could not be fetched again.
  const flush = () => void pass(events.splice(0)).catch(() => undefined)
  return (event) => void (events.push(event) === 1 && setTimeout(flush, 50))
}
