import {
  type Contract,
  type OutputOf,
  limits,
  QuireError,
  type ParsedOf,
  type Preferences,
} from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { preferencesOf } from '../users/find.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { findRepository } from '../../engine/scope.ts'

/** The identity of the caller. For a user, with preferences. */
export async function me(call: Call): Promise<OutputOf<Contract['user']['me']>> {
  const { kind, id, name, ref } = call.identity
  const preferences = kind === 'user' ? await preferencesOf(call.store.records, id) : null
  return { kind, id, name, email: ref.email, preferences }
}

type Visit = Contract['user']['visit']
type Input = ParsedOf<Visit>
type Recent = Pick<Preferences, 'recentRepositories' | 'recentSites'>

/**
 * Adds a repository or site to the recent ones in the preferences: newest first, each once, at most
 * 3 (specification 2.9). Errors: `not_found` if the caller may not see it; `invalid_state` if the
 * caller is not a user.
 */
export async function visit(call: Call, input: Input): Promise<Preferences> {
  const { kind, id } = call.identity
  if (kind !== 'user') throw new QuireError('invalid_state', 'Only users have preferences.')
  const addVisit = await findVisited(call, input)
  return call.write(async (call) => {
    const existing = await call.store.records.get('preferences', id)
    const before = await preferencesOf(call.store.records, id)
    const preferences = { ...before, ...addVisit(before) }
    await call.store.records.put('preferences', { id, preferences }, existing?.revision ?? 0)
    return preferences
  })
}

async function findVisited(call: Call, { kind, id }: Input): Promise<(before: Recent) => Recent> {
  const lastVisited = call.now
  if (kind === 'repository') {
    const { name, displayName } = await findRepository(call, id)
    const entry = { CACHE_ROOT: name, name: displayName, lastVisited }
    return ({ recentRepositories = [] }) => ({
      recentRepositories: newest(entry, recentRepositories, ({ CACHE_ROOT }) => CACHE_ROOT),
    })
  }
  if (!mayDo(call.identity.permissions, 'sites.view', { siteId: id }))
    throw new QuireError('not_found', `There is no site "${id}" that you may see.`)
  const entry = { id, lastVisited }
  return ({ recentSites = [] }) => ({ recentSites: newest(entry, recentSites, (site) => site.id) })
}

function newest<T>(entry: T, others: readonly T[], keyOf: (entry: T) => string): T[] {
  return [entry, ...others.filter((other) => keyOf(other) !== keyOf(entry))].slice(0, limits.recents)
}
