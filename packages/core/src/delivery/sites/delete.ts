import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/head-tag.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { liveHeads } from '../../content/kinds/heads.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import type { Entity, Filter, Branch, Transaction } from '../../ports/index.ts'
import { chunks, every, levelsOf, standingIn } from '../../content/structure/tree.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { deleteStructure } from '../../content/structure/save.ts'
import { openInSite, openSite } from './find.ts'
import { pageRules, sectionRules, siteRules } from './kinds.ts'
import { purgePublications } from './publications.ts'
import { ofSection, ofSite } from './reads.ts'

/**
 * Deletes a site softly, with `recursive` its sections and pages too. On the main branch it is no longer served. With `dryRun` it answers
 * what would go. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`; `referenced` without `recursive` for one that is not
 * empty, and past 1 000 things.
 */
export function deleteSite(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Contract['sites']['delete']>,
): Promise<OutputOf<Contract['sites']['delete']>> {
  return call.write(async (call) => {
    const { scope, site } = await openSite(call, ref, 'update')
    requireHeadMatch(call, site)
    requireOpen(scope.package)
    const deleted = await serializeOne(call, scope.branch, { rules: siteRules, head: site })
    const going = await contentsOf(call.store, scope.branch, {
      sections: ofSite(site.id),
      pages: ofSite(site.id),
    })
    requireRecursive(recursive, going)
    await deleteAll(call, { scope, going })
    await deleteStructure(call, { rules: siteRules, scope, previous: site })
    if (scope.package === null) await purgePublications(call.store, scope.branch, site.id)
    return dryRun === true ? { deleted: deleted.value(), ...named(going) } : undefined
  })
}

/** Deletes a section softly, with `recursive` what stands in it too. Errors: as of a site. */
export function deleteSection(
  call: Call,
  { recursive, dryRun, ...ref }: ParsedOf<Contract['sections']['delete']>,
): Promise<OutputOf<Contract['sections']['delete']>> {
  return call.write(async (call) => {
    const { scope, head } = await openInSite(call, ref, sectionRules)
    requireOpen(scope.package)
    const deleted = await serializeOne(call, scope.branch, { rules: sectionRules, head })
    const going = await contentsOf(call.store, scope.branch, {
      sections: standingIn([head.id]),
      pages: ofSection(head.id),
      root: head.id,
    })
    requireRecursive(recursive, going)
    await deleteAll(call, { scope, going })
    await deleteStructure(call, { rules: sectionRules, scope, previous: head })
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
async function contentsOf(
  { entities }: Transaction,
  branch: Branch,
  { root, ...first }: First,
): Promise<Going> {
  const most = limits.deletedAtOnce
  const part = { kind: 'section', first: first.sections, most, ...(root !== undefined && { root }) } as const
  const nodes = await levelsOf(entities, branch, part)
  const sectionIds = nodes.map(({ head }) => head.id)
  const pageIds = new Set<string>()
  const inSections = chunks(sectionIds).map((ids): Filter => ({
    field: { path: 'sectionId', list: false },
    op: 'in',
    value: ids,
  }))
  for (const filter of [first.pages, ...inSections])
    for await (const page of every(entities, branch, { kind: 'page', filter })) {
      pageIds.add(page.id)
      if (sectionIds.length + pageIds.size > most) throw tooMany()
    }
  if (sectionIds.length > most) throw tooMany()
  const sections = await liveHeads(entities, branch, { kind: 'section', ids: sectionIds })
  const pages = await liveHeads(entities, branch, { kind: 'page', ids: [...pageIds] })
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
  call: WriteCall,
  { scope, going: { sections, pages } }: { scope: Scope; going: Going },
): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  for (const previous of pages) {
    await deleteStructure(call, { rules: pageRules, scope, previous })
    await yieldToLoop()
  }
  for (const previous of sections.toReversed()) {
    await deleteStructure(call, { rules: sectionRules, scope, previous })
    await yieldToLoop()
  }
}

function named({ sections, pages }: Going) {
  const name = (heads: readonly Entity[]) => heads.map(({ id, name: called }) => ({ id, name: called }))
  return { sections: name(sections), pages: name(pages) }
}
