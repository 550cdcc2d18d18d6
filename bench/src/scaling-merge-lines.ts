import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@quire/client'
import { article } from './articles.ts'
import { singleFigure, type Figure } from './compare.ts'
import { openLoad } from './load.ts'
import { post, seedPackage, someIds } from './package-lines.ts'
import { request, type Running } from './servers.ts'

const changes = 5000

// Creates before the merge count, too: they are what it is compared with.
const settleMs = 500

/**
 * A merge of many changes on one server, and creates on another one meanwhile. Both use one
 * database.
 */
export async function mergeBesideLines([one, other]: readonly Running[]): Promise<Figure[]> {
  if (!one || !other) throw new Error('two servers are needed')
  const api = createClient({ baseUrl: `http://127.0.0.1:${one.port}`, auth: { token: one.token } })
  await seedPackage(api, 'large', await someIds(api, changes))
  const load = openLoad({
    port: other.port,
    requests: Array.from({ length: 20_000 }, (_, index) =>
      request(other, 'POST /api/items', JSON.stringify({ ...article(index), slug: `beside-${index}` })),
    ),
    connections: 8,
    durationMs: 60_000,
  })
  await wait(settleMs)
  const began = performance.now()
  await post(one, '/large/merge', {})
  const mergeMs = performance.now() - began
  const { statuses, p99, rate } = await load.stop()
  const created = statuses['201'] ?? 0
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return [
    singleFigure({
      what: `merge of ${changes} changes over PostgreSQL, beside creates on another server`,
      value: mergeMs / 1000,
      unit: 's',
      target: 5,
      bound: 'atMost',
      detail: `${Math.round(rate)} creates a second meanwhile`,
    }),
    singleFigure({
      what: 'creates on another server that are refused during that merge',
      value: all - created,
      unit: '',
      target: 0,
      bound: 'atMost',
      detail: `of ${all}`,
    }),
    singleFigure({
      what: 'p99 of creates on another server during that merge',
      value: p99,
      unit: 'ms',
      target: 400,
      bound: 'atMost',
      detail: '8 connections',
    }),
  ]
}
