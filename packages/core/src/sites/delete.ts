import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { requireHeadMatch } from '../call/head-tag.ts'
import { takingTurns } from '../call/turns.ts'
import { liveHeads } from '../lines/heads.ts'
import { requireOpen, type Place } from '../lines/lines.ts'
import type { Entity, Filter, Line, Transaction } from '../ports/index.ts'
import { chunks, every, levelsOf, standingIn } from '../structure/levels.ts'
import { presentOne } from '../structure/present.ts'
import { deleteStructure } from '../structure/save.ts'
import { openInSite, openSite } from './find.ts'
import { pageRules, sectionRules, siteRules } from './kinds.ts'
import { purgePublications } from './publications.ts'
import { ofSection, ofSite } from './reads.ts'

/**
 * Deletes a site softly, with `recursive` its sections and pages too. On the main line it is no longer served. With `dryRun` it answers
 * what would go. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`; `referenced` without `recursive` for one that is not
 * empty, and past 1 000 things.
 */
export function deleteSite(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Contract['sites']['delete']>,
): Promise<OutputOf<Contract['sites']['delete']>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, site } = await openSite(inside, ref, 'update')
    requireHeadMatch(inside, site)
    requireOpen(place.package)
    const deleted = await presentOne(inside, place.line, { rules: siteRules, head: site })
    const going = await contentsOf(tx, place.line, { sections: ofSite(site.id), pages: ofSite(site.id) })
    requireRecursive(recursive, going)
    await deleteAll(inside, tx, { place, going })
    await deleteStructure(inside, tx, { rules: siteRules, place, previous: site })
    if (place.package === null) await purgePublications(tx, place.line, site.id)
    return dryRun === true ? { deleted: deleted.value(), ...named(going) } : undefined
  })
}

/** Deletes a section softly, with `recursive` what stands in it too. Errors: as of a site. */
export function deleteSection(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Contract['sections']['delete']>,
): Promise<OutputOf<Contract['sections']['delete']>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, head } = await openInSite(inside, ref, sectionRules)
    requireOpen(place.package)
    const deleted = await presentOne(inside, place.line, { rules: sectionRules, head })
    const going = await contentsOf(tx, place.line, {
      sections: standingIn([head.id]),
      pages: ofSection(head.id),
      root: head.id,
    })
    requireRecursive(recursive, going)
    await deleteAll(inside, tx, { place, going })
    await deleteStructure(inside, tx, { rules: sectionRules, place, previous: head })
    return dryRun === true ? { deleted: deleted.value(), ...named(going) } : undefined
  })
}

/** What goes with something: sections above those in them, and pages. */
interface Going {
  readonly sections: readonly Entity[]
  readonly pages: readonly Entity[]
}

interface First {
  readonly sections: Filter
  readonly pages: Filter
  readonly root?: string
}

/** Errors: `referenced` past 1 000 things. */
async function contentsOf({ entities }: Transaction, line: Line, { root, ...first }: First): Promise<Going> {
  const most = limits.deletedAtOnce
  const part = { kind: 'section', first: first.sections, most, ...(root !== undefined && { root }) } as const
  const nodes = await levelsOf(entities, line, part)
  const sectionIds = nodes.map(({ head }) => head.id)
  const pageIds = new Set<string>()
  const inSections = chunks(sectionIds).map((ids): Filter => ({
    field: { path: 'sectionId', list: false },
    op: 'in',
    value: ids,
  }))
  for (const filter of [first.pages, ...inSections])
    for await (const page of every(entities, line, { kind: 'page', filter })) {
      pageIds.add(page.id)
      if (sectionIds.length + pageIds.size > most) throw tooMany()
    }
  if (sectionIds.length > most) throw tooMany()
  const sections = await liveHeads(entities, line, { kind: 'section', ids: sectionIds })
  const pages = await liveHeads(entities, line, { kind: 'page', ids: [...pageIds] })
  return { sections: sectionIds.flatMap((id) => sections.get(id) ?? []), pages: [...pages.values()] }
}

function tooMany(): QuireError {
  const message = `It holds more than ${limits.deletedAtOnce} sections and pages: delete its parts first.`
  return new QuireError('referenced', message, { details: { most: limits.deletedAtOnce } })
}

/** Errors: `referenced`, with how much there is. */
function requireRecursive(recursive: boolean | undefined, { sections, pages }: Going): void {
  if (recursive === true || sections.length + pages.length === 0) return
  throw new QuireError('referenced', 'It is not empty: send recursive=true to delete all of it.', {
    details: { sections: sections.length, pages: pages.length },
  })
}

async function deleteAll(
  call: Call,
  tx: Transaction,
  { place, going: { sections, pages } }: { place: Place; going: Going },
): Promise<void> {
  const turn = takingTurns()
  for (const previous of pages) {
    await deleteStructure(call, tx, { rules: pageRules, place, previous })
    await turn()
  }
  for (const previous of sections.toReversed()) {
    await deleteStructure(call, tx, { rules: sectionRules, place, previous })
    await turn()
  }
}

function named({ sections, pages }: Going) {
  const name = (heads: readonly Entity[]) => heads.map(({ id, name: called }) => ({ id, name: called }))
  return { sections: name(sections), pages: name(pages) }
}
