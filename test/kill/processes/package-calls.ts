import { acknowledgedItem, pathOf, repository } from '../writer.ts'
import { addEffect } from './effects.ts'
import { checkRead, isDone, noteContent, readOwn, tagOf } from './item-calls.ts'
import { nextKey, type Author, type OwnItem } from './load.ts'

const packages = `/api/content/management/packages/${repository}`

/** What was written in a package: content keys by item id. */
type Written = Map<string, string>

/** The parts of a merge's answer that are checked. */
interface Report {
  readonly package: { readonly id: string }
  readonly changes: readonly {
    readonly entity: { readonly id: string }
    readonly kind: string
    readonly version: number
  }[]
}

/**
 * Creates a package, writes a new item and an update in it, and merges it. Everything must then be
 * on main exactly once.
 */
export async function mergePackage(author: Author, item: OwnItem): Promise<void> {
  const { client, effects } = author
  const name = `p-${nextKey(author)}`
  const open = { method: 'POST', path: packages, body: JSON.stringify({ name }), key: name } as const
  const opened = await client.ask(open)
  if (!isDone(author, open, opened)) return
  const { id }: { id: string } = JSON.parse(opened.answer.body.toString())
  addEffect(effects, { event: 'PACKAGE_CREATED', id })
  const written: Written = new Map()
  await createIn(author, name, written)
  await updateIn(author, { name, item }, written)
  const ask = { method: 'POST', path: `${packages}/${name}/merge`, body: '{}', key: nextKey(author) } as const
  const reported = await client.ask(ask)
  if (!isDone(author, ask, reported)) return
  addEffect(effects, { event: 'PACKAGE_MERGED', id })
  const report: Report = JSON.parse(reported.answer.body.toString())
  await noteMerged(author, { report, written, item }, reported.at)
}

async function createIn(author: Author, packageName: string, written: Written): Promise<void> {
  const sent = await noteContent(author, { method: 'POST', path: '/api/items', at: { packageName } })
  const reported = await author.client.ask(sent)
  if (isDone(author, sent, reported)) written.set(acknowledgedItem(sent, reported.answer).id, sent.key)
}

async function updateIn(
  author: Author,
  { name, item }: { name: string; item: OwnItem },
  written: Written,
): Promise<void> {
  const path = `/api/items/${repository}/_package/${name}/${item.id}`
  const seen = await readOwn(author, path, item.key)
  if (!seen) return
  const sent = await noteContent(author, { method: 'PATCH', path, ifMatch: seen.tag })
  const { key, ...ask } = sent
  const reported = await author.client.ask(ask)
  const isEffective = reported.wasUnknown && reported.answer.status === 412
  if (isEffective) author.tally.effective += 1
  if (isEffective || isDone(author, sent, reported)) written.set(item.id, key)
}

interface Merged {
  readonly report: Report
  readonly written: Written
  readonly item: OwnItem
}

async function noteMerged(author: Author, { report, written, item }: Merged, at: number): Promise<void> {
  const { ledger, effects, items, tally } = author
  if (report.changes.length !== written.size)
    tally.findings.push(`torn: a merge of ${written.size} changes reports ${report.changes.length}`)
  for (const { entity, kind, version } of report.changes) {
    const { id } = entity
    const key = written.get(id) ?? ''
    await ledger.noteAcknowledged({ key, id, version })
    addEffect(effects, { event: kind === 'create' ? 'ITEM_CREATED' : 'ITEM_UPDATED', id, version })
    const { answer } = await author.client.ask({ method: 'GET', path: pathOf(id) }, at)
    const published = id === item.id ? item.published : null
    const merged = { id, key, version, tag: tagOf(answer), published }
    const index = items.findIndex((one) => one.id === id)
    items.splice(index < 0 ? items.length : index, index < 0 ? 0 : 1, merged)
    await checkRead(author, merged, at)
  }
}
