import { limits, QuireError, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { WriteCall } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { liveHeads } from '../../content/kinds/heads.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import type { Entity, Filter, Branch, Transaction } from '../../ports/index.ts'
import { childrenOf, chunks, levelsOf, listAll } from '../../content/structure/tree.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { deleteStructure } from '../../content/structure/save.ts'
import { findToChange, type SiteTarget } from './find.ts'
import { pageRules, sectionRules, siteRules } from './kinds.ts'
import { purgePublications } from './publications.ts'
import { ofSection, ofSite } from './reads.ts'

/**
 * Soft-deletes a site, and with `recursive` its sections and pages. A site deleted on main is no
 * longer served. With `dryRun`, returns what would be deleted.
 * Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state`; `referenced` for a site
 * that is not empty without `recursive`, and for more than 1000 sections and pages.
 */
export async function deleteSite(
  call: WriteCall,
  { recursive, dryRun }: ParsedOf<Contract['sites']['delete']>,
  { scope, site }: SiteTarget,
): Promise<OutputOf<Contract['sites']['delete']>> {
  requireHeadMatch(call, site)
  requireOpen(scope.package)
  const deleted = await serializeOne(call, scope.branch, { rules: siteRules, head: site })
  const contents = await contentsOf(call.store, scope.branch, {
    sections: ofSite(site.id),
    pages: ofSite(site.id),
  })
  requireRecursive(recursive, contents)
  await deleteAll(call, { scope, contents })
  await deleteStructure(call, { rules: siteRules, scope, previous: site })
  if (scope.package === null) await purgePublications(call.store, scope.branch, site.id)
  return dryRun === true ? { deleted: deleted.value(), ...namesOf(contents) } : undefined
}

/**
 * Soft-deletes a section, and with `recursive` its sections and pages. Errors: those of
 * `deleteSite`.
 */
export async function deleteSection(
  call: WriteCall,
  { id, recursive, dryRun }: ParsedOf<Contract['sections']['delete']>,
  target: SiteTarget,
): Promise<OutputOf<Contract['sections']['delete']>> {
  const { scope } = target
  const head = await findToChange(call, target, { rules: sectionRules, id })
  requireOpen(scope.package)
  const deleted = await serializeOne(call, scope.branch, { rules: sectionRules, head })
  const contents = await contentsOf(call.store, scope.branch, {
    sections: childrenOf([head.id]),
    pages: ofSection(head.id),
    root: head.id,
  })
  requireRecursive(recursive, contents)
  await deleteAll(call, { scope, contents })
  await deleteStructure(call, { rules: sectionRules, scope, previous: head })
  return dryRun === true ? { deleted: deleted.value(), ...namesOf(contents) } : undefined
}

/** What is deleted with a site or section. Outer sections come before inner ones. */
interface Contents {
  readonly sections: readonly Entity[]
  readonly pages: readonly Entity[]
}

/** Filters for the first level. `root` is the section itself, which is left out. */
interface ContentsQuery {
  readonly sections: Filter
  readonly pages: Filter
  readonly root?: string
}

/** Errors: `referenced` for more than 1000 sections and pages. */
async function contentsOf(
  { entities }: Transaction,
  branch: Branch,
  { root, ...first }: ContentsQuery,
): Promise<Contents> {
  const most = limits.deletedAtOnce
  const part = {
    kind: 'section',
    first: first.sections,
    max: most,
    ...(root !== undefined && { root }),
  } as const
  const nodes = await levelsOf(entities, branch, part)
  const sectionIds = nodes.map(({ head }) => head.id)
  const pageIds = new Set<string>()
  const inSections = chunks(sectionIds).map((ids): Filter => ({
    field: { path: 'sectionId', list: false },
    op: 'in',
    value: ids,
  }))
  for (const filter of [first.pages, ...inSections])
    for await (const page of listAll(entities, branch, { kind: 'page', filter })) {
      pageIds.add(page.id)
      if (sectionIds.length + pageIds.size > most) throw tooMany()
    }
  if (sectionIds.length > most) throw tooMany()
  const sections = await liveHeads(entities, branch, { kind: 'section', ids: sectionIds })
  const pages = await liveHeads(entities, branch, { kind: 'page', ids: [...pageIds] })
  return { sections: sectionIds.flatMap((id) => sections.get(id) ?? []), pages: [...pages.values()] }
}

function tooMany(): QuireError {
  const message = `It contains more than ${limits.deletedAtOnce} sections and pages: delete some of them first.`
  return new QuireError('referenced', message, { details: { most: limits.deletedAtOnce } })
}

/** Errors: `referenced` with the counts, when there are contents and `recursive` is not set. */
function requireRecursive(recursive: boolean | undefined, { sections, pages }: Contents): void {
  if (recursive === true || sections.length + pages.length === 0) return
  throw new QuireError('referenced', 'It is not empty: send recursive=true to delete its contents too.', {
    details: { sections: sections.length, pages: pages.length },
  })
}

async function deleteAll(
  call: WriteCall,
  { scope, contents: { sections, pages } }: { scope: Scope; contents: Contents },
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

function namesOf({ sections, pages }: Contents) {
  const idAndName = ({ id, name }: Entity) => ({ id, name })
  return { sections: sections.map(idAndName), pages: pages.map(idAndName) }
}
