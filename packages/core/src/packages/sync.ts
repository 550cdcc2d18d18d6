import type { Contract, MergeReport, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { plainRecord } from '../call/records.ts'
import { baseOf, requireOpen } from '../lines/lines.ts'
import { isLive } from '../merge/entity.ts'
import { isSame } from '../merge/same.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { changedEntity, changeKind } from './change.ts'
import { requireMergeable } from './conflicts.ts'
import { refKey } from './own-heads.ts'
import { parkClaims, type Move } from './park.ts'
import { planMerge } from './plan.ts'
import type { PlannedChange } from './planned-change.ts'
import { packageEvent, storeChanged, withPackage, type PackagePlace } from './record.ts'
import { requireOwnValues, requireWritable } from './rights.ts'
import { hasMainMoved } from './sides.ts'

type Input = ParsedOf<Contract['packages']['sync']>

/**
 * Brings what main changed into the package, three ways as a merge; what then rests on main as it is now. What main deleted and the
 * package left alone goes. Errors: as a merge.
 */
export function syncPackage(call: Call, { resolutions, planId, ...ref }: Input): Promise<MergeReport> {
  return withPackage(call, ref, {
    key: 'packages.merge',
    async work(inside, tx, place) {
      requireOpen(place.package)
      const plan = await planMerge(inside, place, resolutions)
      requireMergeable(plan, planId)
      const turn = takingTurns()
      const changes: MergeReport['changes'] = []
      const due = plan.changes.filter(needsSync)
      requireOwnValues(inside, plan.changes, resolutions)
      requireWritable(inside, due)
      const parked = await parkClaims(inside, tx, due.map(moveInPackage))
      for (const change of due) {
        const previous = parked.get(refKey(change.head)) ?? change.head
        changes.push(await bringUp(inside, tx, { place, change, previous }))
        await turn()
      }
      if (changes.length === 0)
        return { planId: plan.planId, package: plainRecord(place.package), changes, pages: [] }
      const stored = await storeChanged(inside, tx, place.package)
      await tx.journal.record(
        packageEvent(inside, 'PACKAGE_SYNCED', { about: stored, details: { changes: changes.length } }),
      )
      return { planId: plan.planId, package: plainRecord(stored), changes, pages: [] }
    },
  })
}

function moveInPackage({ rules, head, merged }: PlannedChange): Move {
  const current = head.deletedDate === null ? head : null
  return { rules, current, next: isLive(merged) ? merged.content : null, type: head.type }
}

/** Main moved, or a resolution gave the package another content. */
function needsSync(change: PlannedChange): boolean {
  // What the package made and deleted again is its own affair.
  if (!change.base && change.ours.deleted) return false
  return hasMainMoved(change) || !change.merged || !isSame(change.merged.content, change.ours.content)
}

async function bringUp(
  call: Call,
  tx: Transaction,
  { place, change, previous }: { place: PackagePlace; change: PlannedChange; previous: Entity },
): Promise<MergeReport['changes'][number]> {
  const { head, mainHead, merged, ours, rules } = change
  const entity = changedEntity(head)
  const kind = changeKind(ours, merged)
  if (!merged || (merged.deleted && mainHead?.deletedDate !== null)) {
    await tx.entities.purge(place.line, head)
    return { entity, kind, version: null, published: false }
  }
  const landed = await rules.land(call, tx, {
    place,
    previous,
    origin: head,
    content: previous === head && isSame(merged.content, ours.content) ? null : merged.content,
    marks: (version) => ({
      base: mainHead && baseOf(mainHead),
      archived: merged.archived,
      deletedDate: merged.deleted ? (head.deletedDate ?? call.now) : null,
      ...publishedMarks(change, version),
    }),
    events: [merged.deleted ? rules.events.deleted : rules.events.updated],
    details: { sync: true },
  })
  const published = landed.publishedVersion === landed.version
  return {
    entity: changedEntity(landed),
    kind,
    version: landed.deletedDate === null ? landed.version : null,
    published,
  }
}

/** What main has published stands under its negative number, or as the package's newest version where that says the same. */
function publishedMarks({ mainHead, merged, theirs }: PlannedChange, version: number): Partial<Entity> {
  const published = merged?.published ?? null
  if (published === null) return { publishedVersion: null, publishedDate: null }
  if (published === 'head') return { publishedVersion: version }
  const isHead = published === mainHead?.version && isSame(merged?.content, theirs?.content)
  return { publishedVersion: isHead ? version : -published, publishedDate: mainHead?.publishedDate ?? null }
}
