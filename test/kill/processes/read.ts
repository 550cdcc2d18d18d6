import { setTimeout as wait } from 'node:timers/promises'
import { hashOf } from '../content.ts'
import { itemOf, pageOf } from '../wire.ts'
import { pathOf, repository } from '../writer.ts'
import { openClient, Unresolved, type Client } from './client.ts'
import type { Load } from './load.ts'

const lists = [
  `/api/items/${repository}?limit=20`,
  `/api/items/${repository}?limit=20&sort=name`,
  `/api/items/${repository}?limit=10&text=gall`,
  '/api/content/management/types',
  `/api/content/management/packages/${repository}`,
]

// Milliseconds between two requests of a reader. Readers should load the processes, but not crowd
// out the writers.
const pauseMs = 30

/**
 * Reads lists, searches and items from any process until the load is over. Everything in an answer
 * must have been sent like that.
 */
export async function read(load: Load): Promise<void> {
  const client = openClient(load, load.fleet.token)
  try {
    while (!load.isOver()) {
      await look(load, client)
      await wait(pauseMs)
    }
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error
  } finally {
    client.close()
  }
}

async function look({ ledger, tally }: Load, client: Client): Promise<void> {
  const path = lists[Math.floor(Math.random() * lists.length)] ?? ''
  const { answer } = await client.ask({ method: 'GET', path })
  if (answer.status !== 200) return void tally.findings.push(`GET ${path} answered ${answer.status}`)
  if (!path.includes(`items/${repository}`)) return
  const { items } = pageOf(answer)
  const one = items[Math.floor(Math.random() * items.length)]
  if (!one) return
  const read = await client.ask({ method: 'GET', path: pathOf(one.id) })
  // Deleted in the meantime.
  if (read.answer.status === 404) return
  const item = itemOf(read.answer)
  if (ledger.sent.get(item.fields.key)?.hash !== hashOf(item))
    tally.findings.push(`torn: ${item.id} differs from what was sent as ${item.fields.key}`)
}
