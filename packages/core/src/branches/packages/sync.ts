import type { Contract, MergeReport, ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { baseOf, requireOpen } from '../../engine/scope.ts'
import { namedInPackage, publicationsIn } from '../../content/items/publications.ts'
import { inheritedPublications } from '../../content/kinds/heads.ts'
import { isLive, type Side } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import type { Entity } from '../../ports/index.ts'
import { changedEntity, changeKind, type PlannedChange } from './change.ts'
import { refKey, hasMainMoved } from './sides.ts'
import { requireMergeable } from './conflicts.ts'
import { reserveClaims, type Move } from './apply.ts'
import { planMerge } from './plan.ts'
import { packageEvent, packageJson, storeChanged, withPackage, type PackageScope } from './record.ts'
import { requireOwnValues, requireWritable } from './rights.ts'

type Input = ParsedOf<Contract['packages']['sync']>

/**
 * Brings main's changes into a package with the same three-way merge. Afterwards the package's
 * changes are based on main's current versions. An entity that main deleted and the package did not
 * change is removed from the package. Errors: those of `mergePackage`.
 */
export function syncPackage(call: Call, { resolutions, planId, ...ref }: Input): Promise<MergeReport> {
  return withPackage(call, ref, {
    key: 'packages.merge',
    async work(call, scope) {
      requireOpen(scope.package)
      const plan = await planMerge(call, scope, resolutions)
      requireMergeable(plan, planId)
      const yieldToLoop = yieldingToLoop()
      const changes: MergeReport['changes'] = []
      const due = plan.changes.filter(needsSync)
      requireOwnValues(call, plan.changes, resolutions)
      requireWritable(call, due)
      const reserved = await reserveClaims(call, due.map(moveInPackage))
      for (const change of due) {
        const previous = reserved.get(refKey(change.head)) ?? change.head
        changes.push(await syncEntity(call, { scope, change, previous }))
        await yieldToLoop()
      }
      if (changes.length === 0)
        return { planId: plan.planId, package: packageJson(scope.package), changes, pages: [] }
      const stored = await storeChanged(call, scope.package)
      await call.record(
        packageEvent(call, 'PACKAGE_SYNCED', { about: stored, details: { changes: changes.length } }),
      )
      return { planId: plan.planId, package: packageJson(stored), changes, pages: [] }
    },
  })
}

function moveInPackage({ rules, head, merged }: PlannedChange): Move {
  const current = head.deletedDate === null ? head : null
  return { rules, current, next: isLive(merged) ? merged.content : null, of: head }
}

/** Whether main has moved, or a resolution changed the package's content. */
function needsSync(change: PlannedChange): boolean {
  // Main never had what the package created and deleted again.
  if (!change.base && change.ours.deleted) return false
  return hasMainMoved(change) || !change.merged || !isStored(change.merged, change)
}

/**
 * Whether the package's head has this content. Our side has it with the latest stamps of translations,
 * which may be main's.
 */
function isStored({ content }: Side, { rules, head }: PlannedChange): boolean {
  return isSame(content, rules.content(head))
}

async function syncEntity(
  call: WriteCall,
  { scope, change, previous }: { scope: PackageScope; change: PlannedChange; previous: Entity },
): Promise<MergeReport['changes'][number]> {
  const { head, mainHead, merged, ours, rules } = change
  const entity = changedEntity(head)
  const kind = changeKind(ours, merged)
  if (!merged || (merged.deleted && mainHead?.deletedDate !== null)) {
    await call.store.entities.purge(scope.branch, head)
    return { entity, kind, version: null, published: false }
  }
  const applied = await rules.apply(call, {
    scope,
    previous,
    origin: head,
    content: previous === head && isStored(merged, change) ? null : merged.content,
    state: (version) => ({
      base: mainHead && baseOf(mainHead),
      archived: merged.archived,
      deletedDate: merged.deleted ? (head.deletedDate ?? call.now) : null,
      ...publishedState(change, { version, scope }),
    }),
    events: [merged.deleted ? rules.events.deleted : rules.events.updated],
    details: { sync: true },
  })
  const published = applied.publishedVersion === applied.version
  return {
    entity: changedEntity(applied),
    kind,
    version: applied.deletedDate === null ? applied.version : null,
    published,
  }
}

/**
 * The package's newest version is published instead of main's when they have the same content.
 */
function publishedState(
  { head, mainHead, merged, theirs }: PlannedChange,
  { version, scope }: { version: number; scope: PackageScope },
): Partial<Entity> {
  const published = merged?.published ?? null
  if (published === null) return { publishedVersion: null, inheritsPublished: false, publishedDate: null }
  if (published === 'head') {
    const publication = { version, date: head.publishedDate ?? head.updatedDate }
    const named = { main: mainHead, codes: merged?.publishedIn, publication }
    const publications = namedInPackage(named, scope.repository.settings.locales)
    return { publishedVersion: version, inheritsPublished: false, ...publications }
  }
  const isHead = published === mainHead?.version && isSame(merged?.content, theirs?.content)
  return {
    publishedVersion: isHead ? version : published,
    inheritsPublished: !isHead,
    ...ofMain(mainHead, scope),
  }
}

/** Since when, and in which locales, main publishes what a package does not change. */
function ofMain(mainHead: Entity | null, { repository: { settings } }: PackageScope): Partial<Entity> {
  if (!mainHead) return { publishedDate: null }
  const { publishedDate } = mainHead
  if (!settings.locales) return { publishedDate }
  const publications = inheritedPublications(publicationsIn(mainHead, settings.locales))
  return { publishedDate, publications }
}
