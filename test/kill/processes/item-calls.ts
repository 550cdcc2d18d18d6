import type { HttpAnswer } from '../../server/connection.ts'
import { contentOf, hashOf, wordOf } from '../content.ts'
import type { Sent } from '../ledger.ts'
import { itemOf, pageOf } from '../wire.ts'
import { acknowledgedItem, pathOf, repository } from '../writer.ts'
import type { ClientReport } from './client.ts'
import { addEffect } from './effects.ts'
import { nextKey, type Author, type OwnItem } from './load.ts'

/** One of so many acknowledged contents is also looked for by its word. */
const soughtShare = 0.25

/** Makes an item; at another process it is there at once. */
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
 * Changes an item under its ETag. After an unknown outcome the same is sent again: 412 says that it took effect, since nobody else changes the
 * item.
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

/** Deletes an item under its ETag; at another process it is gone at once. */
export async function deleteItem(author: Author, item: OwnItem): Promise<void> {
  const ask = { method: 'DELETE', path: pathOf(item.id), ifMatch: item.tag } as const
  const reported = await author.client.ask(ask)
  author.items.splice(author.items.indexOf(item), 1)
  const isGone = reported.wasUnknown && reported.answer.status === 404
  if (isGone) author.tally.effective += 1
  else if (!isDone(author, ask, reported)) return
  addEffect(author.effects, { event: 'ITEM_DELETED', id: item.id, version: item.version })
  const { answer } = await author.client.ask({ method: 'GET', path: pathOf(item.id) }, reported.at)
  if (answer.status !== 404) author.tally.findings.push(`stale: ${item.id} is deleted, and ${answer.status}`)
}

/** An item as a process has it; the key of its content is what the author sent last. */
export async function readOwn(author: Author, path: string, key: string): Promise<OwnItem | null> {
  const { answer } = await author.client.ask({ method: 'GET', path })
  if (answer.status !== 200) {
    author.tally.findings.push(`stale: ${path}, which was acknowledged, is ${answer.status}`)
    return null
  }
  const { id, latestVersion: version, fields } = itemOf(answer)
  if (fields.key !== key) author.tally.findings.push(`stale: ${path} says ${fields.key}, not ${key}`)
  return { id, key: fields.key, version, tag: tagOf(answer), published: null }
}

/** The request that writes a content of its own, noted in the ledger before it goes out. */
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

/** Whether a request was answered with success. What else it is answered with is a finding: nobody else changes what it is about. */
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

/** The item after a change; null: it was refused. */
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

/** What was acknowledged is what another process shows, and finds by the word that nothing else has. */
export async function checkRead({ client, ledger, tally }: Author, item: OwnItem, at: number): Promise<void> {
  const { id, key, version } = item
  const { answer } = await client.ask({ method: 'GET', path: pathOf(id) }, at)
  const location = `${id} version ${version}`
  if (answer.status !== 200) return void tally.findings.push(`stale: ${location} is ${answer.status}`)
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
