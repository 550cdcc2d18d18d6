import type { Contract, OutputOf, Page, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { sentMembers } from '../call/records.ts'
import { whenAbsent } from '../call/when-absent.ts'
import { findItem } from '../items/find.ts'
import { requireOpen, type Place } from '../lines/lines.ts'
import { contentOf } from '../structure/content.ts'
import { presentOne } from '../structure/present.ts'
import { deleteStructure, saveStructure } from '../structure/save.ts'
import { openInSite, openSite } from './find.ts'
import { pageRules as rules } from './kinds.ts'
import { pathPartOf } from './slug.ts'

type Group = Contract['pages']

/** Creates a page. Errors: `not_found`, `forbidden`, `slug_taken`, `invalid` when it cannot stand there or show that item, `invalid_state`. */
export async function createPage(
  call: Call,
  { configId, packageName, siteId, ...said }: ParsedOf<Group['create']>,
): Promise<Presented<Page>> {
  const slug = await pathPartOf(said.slug, said.name)
  const content = { ...said, slug, siteId, parentId: null }
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place } = await openSite(inside, { configId, packageName, siteId }, 'update')
    await requireItem(inside, place, said.itemId)
    const head = await saveStructure(inside, tx, { rules, place, previous: null, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `slug_taken`, `invalid`, `invalid_state`. */
export function updatePage(call: Call, input: ParsedOf<Group['update']>): Promise<Presented<Page>> {
  return changePage(call, input)
}

/** Moves a page to a section of its site. Errors: as an update; `invalid` when it cannot stand there. */
export function movePage(call: Call, input: ParsedOf<Group['move']>): Promise<Presented<Page>> {
  return changePage(call, input)
}

/** Deletes a page softly. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`. */
export function deletePage(
  call: Call,
  { dryRun, ...ref }: ParsedOf<Group['delete']>,
): Promise<OutputOf<Group['delete']>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, head: previous } = await openInSite(inside, ref, rules)
    requireOpen(place.package)
    const deleted = await presentOne(inside, place.line, { rules, head: previous })
    await deleteStructure(inside, tx, { rules, place, previous })
    return dryRun === true ? { deleted: deleted.value() } : undefined
  })
}

function changePage(
  call: Call,
  { configId, packageName, siteId, id, ...patch }: ParsedOf<Group['update']> | ParsedOf<Group['move']>,
): Promise<Presented<Page>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, head: previous } = await openInSite(inside, { configId, packageName, siteId, id }, rules)
    if ('itemId' in patch) await requireItem(inside, place, patch.itemId ?? null)
    const content = { ...contentOf(previous), ...sentMembers(patch) }
    const head = await saveStructure(inside, tx, { rules, place, previous, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Errors: `invalid` for an item that is not there, or that the caller may not read. */
async function requireItem(call: Call, place: Place, itemId: string | null): Promise<void> {
  if (itemId === null) return
  const absent = () => {
    throw invalid([{ path: 'itemId', message: `there is no item "${itemId}"` }])
  }
  await findItem(call, place, itemId).catch(whenAbsent(absent))
}
