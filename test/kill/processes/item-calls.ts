import type { HttpAnswer } from '../../server/connection.ts'
import { contentOf, hashOf, wordOf } from '../content.ts'
import type { Sent } from '../ledger.ts'
import { itemOf, pageOf } from '../wire.ts'
import { acknowledgedItem, pathOf, repository } from '../writer.ts'
import type { ClientReport } from './client.ts'
import { addEffect } from './effects.ts'
import { nextKey, type Author, type OwnItem } from './load.ts'

/** The share of acknowledged contents that are also searched for by their word. */
const soughtShare = 0.25

/** Creates an item, and checks that another process has it at once. */
export async function createItem(author: Author): Promise<void> {
  const sent = await noteContent(author, { method: 'POST', path: '/api/items' })
  const reported = await author.client.ask({ ...sent, key: sent.key })
  if (!isDone(author, sent, reported)) return
  const { id, latestVersion: version } = acknowledgedItem(sent, reported.answer)
  await author.ledger.noteAcknowledged({ key: sent.key, id, version })
  addEffect(author.effects, { event: 'ITEM_CREATED', id, version })
  const item = { id, key: sent.key, version, tag: tagOf(reported.answer), published: null }
  author.items.push(item)
  await checkRead(author, item, reported.at)
}

/**
 * Updates an item with its ETag. After an unknown outcome, the request is repeated: 412 then means
 * that it took effect, since nobody else changes the item.
 */
export async function updateItem(author: Author, item: OwnItem): Promise<void> {
  const sent = await noteContent(author, { method: 'PATCH', path: pathOf(item.id), ifMatch: item.tag })
  const { key: _, ...ask } = sent
  const reported = await author.client.ask(ask)
  const changed = await finishUpdate(author, { item, sent, reported })
  if (changed === null) return
  addEffect(author.effects, { event: 'ITEM_UPDATED', id: item.id, version: changed.version })
  retain(author, changed)
  await checkRead(author, changed, reported.at)
}

/** Publishes the newest version of an item. */
export async function publishItem(author: Author, item: OwnItem): Promise<void> {
  if (item.published === item.version) return
  const ask = {
    method: 'POST',
    path: `${pathOf(item.id)}/publish`,
    body: '{}',
    key: nextKey(author),
  } as const
  const reported = await author.client.ask(ask)
  if (!isDone(author, ask, reported)) return
  addEffect(author.effects, { event: 'ITEM_PUBLISHED', id: item.id, version: item.version })
  const published = { ...item, tag: tagOf(reported.answer), published: item.version }
  retain(author, published)
  await checkRead(author, published, reported.at)
}

/** Deletes an item with its ETag, and checks that it is gone on another process at once. */
export async function deleteItem(author: Author, item: OwnItem): Promise<void> {
  const ask = { method: 'DELETE', path: pathOf(item.id), ifMatch: item.tag } as const
  const reported = await author.client.ask(ask)
  author.items.splice(author.items.indexOf(item), 1)
  const isGone = reported.wasUnknown && reported.answer.status === 404
  if (isGone) author.tally.effective += 1
  else if (!isDone(author, ask, reported)) return
  addEffect(author.effects, { event: 'ITEM_DELETED', id: item.id, version: item.version })
  const { answer } = await author.client.ask({ method: 'GET', path: pathOf(item.id) }, reported.at)
  if (answer.status !== 404)
    author.tally.findings.push(`stale: ${item.id} is deleted, but was answered with ${answer.status}`)
}

/** Reads an item from any process, and checks that its key is the one that the author sent last. */
export async function readOwn(author: Author, path: string, key: string): Promise<OwnItem | null> {
  const { answer } = await author.client.ask({ method: 'GET', path })
  if (answer.status !== 200) {
    author.tally.findings.push(`stale: ${path} was acknowledged, but was answered with ${answer.status}`)
    return null
  }
  const { id, latestVersion: version, fields } = itemOf(answer)
  if (fields.key !== key)
    author.tally.findings.push(`stale: ${path} has the key ${fields.key} instead of ${key}`)
  return { id, key: fields.key, version, tag: tagOf(answer), published: null }
}

/**
 * Records a request with unique content in the ledger before it is sent, and returns the request.
 */
export async function noteContent(
  author: Author,
  { at = {}, ...request }: Pick<Sent, 'method' | 'path' | 'ifMatch'> & { at?: object },
): Promise<Sent> {
  const key = nextKey(author)
  const content = contentOf(key)
  const location = request.method === 'POST' ? { repositoryId: repository, type: 'note', ...at } : {}
  const body = JSON.stringify({ ...location, ...content })
  const sent = { ...request, key, body, hash: hashOf(content) }
  await author.ledger.noteSent(sent)
  return sent
}

/**
 * Whether a request succeeded. Any other answer is a finding, since nobody else changes the item.
 */
export function isDone(
  { tally }: Author,
  ask: { readonly method: string; readonly path: string },
  { answer }: ClientReport,
): boolean {
  if (answer.status >= 200 && answer.status < 300) return true
  tally.findings.push(`${ask.method} ${ask.path} answered ${answer.status}: ${answer.body.toString()}`)
  return false
}

/** The ETag of an answer. */
export function tagOf({ headers }: HttpAnswer): string {
  return headers['etag'] ?? ''
}

interface Update {
  readonly item: OwnItem
  readonly sent: Sent
  readonly reported: ClientReport
}

/** The item after an update; null if it was rejected. */
async function finishUpdate(author: Author, { item, sent, reported }: Update): Promise<OwnItem | null> {
  const { ledger, tally } = author
  const { id, published } = item
  if (reported.wasUnknown && reported.answer.status === 412) {
    tally.effective += 1
    await ledger.noteEffective(sent.key)
    const found = await readOwn(author, pathOf(id), sent.key)
    return found && { ...found, published }
  }
  if (!isDone(author, sent, reported)) {
    await ledger.noteRefused(sent.key)
    return null
  }
  const { latestVersion: version } = acknowledgedItem(sent, reported.answer)
  await ledger.noteAcknowledged({ key: sent.key, id, version })
  return { id, key: sent.key, version, tag: tagOf(reported.answer), published }
}

function retain({ items }: Author, changed: OwnItem): void {
  const index = items.findIndex(({ id }) => id === changed.id)
  if (index >= 0) items[index] = changed
}

/** Checks that another process returns the acknowledged item, and finds it by its unique word. */
export async function checkRead({ client, ledger, tally }: Author, item: OwnItem, at: number): Promise<void> {
  const { id, key, version } = item
  const { answer } = await client.ask({ method: 'GET', path: pathOf(id) }, at)
  const location = `${id} version ${version}`
  if (answer.status !== 200)
    return void tally.findings.push(`stale: ${location} was answered with ${answer.status}`)
  const visible = itemOf(answer)
  if (visible.latestVersion !== version)
    tally.findings.push(`stale: ${location} is at version ${visible.latestVersion}`)
  else if (hashOf(visible) !== ledger.sent.get(key)?.hash) tally.findings.push(`torn: ${location}`)
  if (Math.random() > soughtShare) return
  const sought = encodeURIComponent(`"${wordOf(key)}"`)
  const page = await client.ask({ method: 'GET', path: `/api/items/${repository}?text=${sought}` }, at)
  const found = pageOf(page.answer).items.map((one) => one.id)
  if (found.join() !== id) tally.findings.push(`stale: a search for ${location} finds ${found.join()}`)
}
