import { cpSync, rmSync } from 'node:fs'
import { builtInBundles, permissionKeys, type Api } from '@quire/contract'
import { systemIdentity, type Quire } from '@quire/core'
import { administratorToken, callApi } from '../../test/server/api-access.ts'
import { openEngine } from './account.ts'
import { interleaved, singleFigure, median, ratioLine, type Figure } from './compare.ts'
import { readLoad, type Effort } from './http-lines.ts'
import { startQuire, stopServer, type Running } from './servers.ts'

const held = { roles: 200, groups: 50, bundles: 20 }

/**
 * The cost of holding many rights: reads by slug with an account that has 200 roles, 50 nested
 * groups and 20 bundles, compared with an account that has one role.
 */
export async function accessLines(data: string, effort: Effort): Promise<Figure[]> {
  const copy = `${data}-access`
  cpSync(data, copy, { recursive: true })
  const quire = await openEngine(copy)
  const id = await heavyAccount(quire.as(systemIdentity('bench')))
  const resolution = await resolutionLine(quire, id)
  await quire.close()
  try {
    return [await readsLine(copy, effort), resolution]
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/**
 * Creates an account in the innermost of the nested groups. Each group has four roles, and the
 * first twenty roles have one bundle each.
 */
async function heavyAccount(api: Api): Promise<string> {
  const keys = [...(builtInBundles['bundle.publisher'] ?? [])]
  const roles: string[] = []
  for (let index = 0; index < held.roles; index++) {
    const bundle = `bundle.bench-${index}`
    const own = index < held.bundles
    if (own) await api.bundles.create({ id: bundle, name: bundle, permissions: keys })
    const key = permissionKeys[index % permissionKeys.length] ?? 'items.read'
    const permissions = { repos: { [`REPO_${index}`]: ['items.read'], bench: [key] } }
    const role = await api.roles.create({
      name: `Heavy ${index}`,
      permissions,
      ...(own && { bundles: [bundle] }),
    })
    roles.push(role.id)
  }
  let inner: string[] = []
  for (let index = 0; index < held.groups; index++) {
    const ofGroup = roles.slice(index * 4, index * 4 + 4)
    const group = await api.groups.create({ name: `Heavy ${index}`, groups: inner, roles: ofGroup })
    inner = [group.id]
  }
  const { id } = await api.serviceAccounts.create({ name: heavyName, groups: inner })
  return id
}

const heavyName = 'Heavy'

async function readsLine(data: string, effort: Effort): Promise<Figure> {
  const server = await startQuire(data)
  try {
    const heavy = { ...server, token: await heavyToken(server) }
    const read = (caller: Running) => () => readLoad(caller, '/api/items/bench/slug', effort)
    const pairs = await interleaved(effort.rounds, read(server), read(heavy))
    const rate = (side: 0 | 1) => Math.round(median(pairs.map((pair) => pair[side].rate)))
    return ratioLine(
      `read with ${held.roles} roles, relative to one role`,
      pairs.map(([light, much]) => much.rate / light.rate),
      {
        target: 0.9,
        bound: 'atLeast',
        detail: `by slug; ${held.groups} nested groups, ${held.bundles} bundles; ${rate(1)}/s; with one role ${rate(0)}/s`,
      },
    )
  } finally {
    await stopServer(server)
  }
}

async function heavyToken({ port }: Running): Promise<string> {
  const url = `http://127.0.0.1:${port}`
  const call = { url, token: await administratorToken(url) }
  const { items } = await callApi<{ items: { id: string; name: string }[] }>(call, 'GET', {
    path: '/api/security/serviceAccounts',
  })
  const id = items.find(({ name }) => name === heavyName)?.id ?? ''
  const { secret } = await callApi<{ secret: string }>(call, 'POST', {
    path: `/api/security/serviceAccounts/${id}/secrets`,
  })
  return administratorToken(url, { id, secret })
}

/**
 * Times the first call after a change of permissions, when all permissions of the account are read
 * again.
 */
async function resolutionLine(quire: Quire, id: string): Promise<Figure> {
  const system = quire.as(systemIdentity('bench'))
  const { user } = quire.as({ kind: 'service', id })
  const role = await system.roles.create({ name: 'Changing' })
  const times: number[] = []
  for (let round = 0; round < 60; round++) {
    await system.roles.update({ id: role.id, description: String(round) })
    const started = performance.now()
    await user.me()
    times.push(performance.now() - started)
  }
  return singleFigure({
    what: `first resolution of ${held.roles} roles`,
    // The first calls also compile the code, so they do not count.
    value: median(times.slice(10)),
    unit: 'ms',
    target: 5,
    bound: 'atMost',
    detail: `after a change of any role; the slowest took ${Math.max(...times).toFixed(1)} ms`,
  })
}
