import { permissionKeys, QuireError, type Api } from '@quire/contract'
import type { Quire, Principal } from '@quire/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attempt, changes, type Change, type ControlledAccount } from './role-changes.ts'
import { graphs, makeGraph, type Graph, type Ids, type MadeGraph } from './role-graph.ts'

/** The permissions of an account as it sees them itself; none for an account that cannot call. */
type Held = Pick<Awaited<ReturnType<Api['auth']['myPermissions']>>, 'roles' | 'global' | 'repos' | 'sites'>

const nothing: Held = { roles: [], global: [], repos: {}, sites: {} }

const seen = { accepted: new Map<string, number>(), refused: 0 }

describe('no account gains permissions that the caller does not hold', () => {
  it('by any accepted change, in any graph of roles', async () => {
    const several = fc.array(changes, { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(graphs, several, async (graph, wanted) => {
        await expectSubsets(graph, wanted)
      }),
      { seed: 20_260_722, numRuns: 400 },
    )
    const accepted = [...seen.accepted.values()].reduce((sum, count) => sum + count, 0)
    // The rule proves nothing if no change is accepted, or none is refused.
    expect(seen.refused).toBeGreaterThan(300)
    expect(accepted).toBeGreaterThan(300)
    expect(seen.accepted.size).toBe(17)
  })

  it('unless the system identity makes the change', async () => {
    const [graph] = fc.sample(graphs, { seed: 1, numRuns: 1 })
    if (!graph) throw new Error('no graph')
    const made = await makeGraph(graph)
    const before = await heldByAll(made)
    const id = made.ids.users[0] ?? ''
    const role = await made.system.roles.create({ name: 'All', bundles: ['bundle.administrator'] })
    await made.system.users.update({ id, roles: [role.id] })
    expect(gained(before, await heldByAll(made), heldOf(before, made.caller))).not.toEqual([])
  })
})

async function expectSubsets(graph: Graph, wanted: readonly Change[]): Promise<void> {
  const made = await makeGraph(graph)
  const api = made.quire.as(made.caller)
  for (const [number, change] of wanted.entries()) {
    const before = await heldByAll(made)
    const held = heldOf(before, made.caller)
    const had = await attempt({ api, ids: made.ids, change, number }).catch(refused)
    if (had === 'refused') continue
    seen.accepted.set(change.operation, (seen.accepted.get(change.operation) ?? 0) + 1)
    const after = await heldByAll(made)
    expect({ change, gained: gained(before, after, held) }).toEqual({ change, gained: [] })
    const power = (had && after.get(nameOf(had))) || nothing
    expect({ change, power: beyond(power, nothing, held) }).toEqual({ change, power: [] })
  }
}

function refused(error: unknown): 'refused' {
  if (!(error instanceof QuireError) || error.status >= 500) throw error
  seen.refused += 1
  return 'refused'
}

function nameOf({ kind, id }: ControlledAccount): string {
  return `${kind}:${id}`
}

function heldOf(all: ReadonlyMap<string, Held>, principal: Principal): Held {
  return ('id' in principal && all.get(`${principal.kind}:${principal.id}`)) || nothing
}

/** The current permissions of every account that ever existed. */
async function heldByAll({ quire, ids }: MadeGraph): Promise<ReadonlyMap<string, Held>> {
  const accounts = accountsOf(ids)
  const held = await Promise.all(accounts.map((account) => heldNow(quire, account)))
  return new Map(accounts.map((account, index) => [nameOf(account), held[index] ?? nothing]))
}

function accountsOf({ users, accounts }: Ids): ControlledAccount[] {
  return [
    ...users.map((id) => ({ kind: 'user', id }) as const),
    ...accounts.map((id) => ({ kind: 'service', id }) as const),
  ]
}

async function heldNow(quire: Quire, account: ControlledAccount): Promise<Held> {
  try {
    return await quire.as(account).auth.myPermissions()
  } catch (error) {
    if (error instanceof QuireError && error.code === 'unauthorized') return nothing
    throw error
  }
}

/**
 * The permissions that accounts have gained by a change, and that the caller does not hold:
 * account, key and scope.
 */
function gained(before: ReadonlyMap<string, Held>, after: ReadonlyMap<string, Held>, caller: Held): string[] {
  const known = new Set([...before.values()].flatMap(({ roles }) => roles))
  const isNewRole = (role: string) => !known.has(role)
  return [...after].flatMap(([name, held]) =>
    beyond(held, before.get(name) ?? nothing, caller)
      // A new role gives no access to content that is limited to other roles.
      .filter((what) => !(what.startsWith('role ') && isNewRole(what.slice('role '.length))))
      .map((what) => `${name} ${what}`),
  )
}

/** The permissions that are held now, but were not held before, and not by the caller. */
function beyond(held: Held, before: Held, caller: Held): string[] {
  const isAll = permissionKeys.every((key) => caller.global.includes(key))
  const roles = held.roles.filter(
    (role) => !isAll && !before.roles.includes(role) && !caller.roles.includes(role),
  )
  const keys = held.global.filter((key) => !before.global.includes(key) && !caller.global.includes(key))
  return [
    ...roles.map((role) => `role ${role}`),
    ...keys.map((key) => `${key} everywhere`),
    ...scopedBeyond('repos', held, [before, caller]),
    ...scopedBeyond('sites', held, [before, caller]),
  ]
}

function scopedBeyond(kind: 'repos' | 'sites', held: Held, others: readonly Held[]): string[] {
  return Object.entries(held[kind]).flatMap(([scope, keys]) =>
    keys
      .filter((key) => !others.some((other) => holdsAt(other, kind, { scope, key })))
      .map((key) => `${key} on ${scope}`),
  )
}

/** Whether a key is held everywhere, in the scope, or on the repository of a type scope. */
function holdsAt(
  held: Held,
  kind: 'repos' | 'sites',
  { scope, key }: { scope: string; key: string },
): boolean {
  const [whole = ''] = scope.split(':')
  const at = held[kind]
  return (
    held.global.some((one) => one === key) ||
    [scope, whole].some((name) => at[name]?.some((one) => one === key) === true)
  )
}
