import type { Contract, MergeReport, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import { plainRecord } from '../call/records.ts'
import { baseOf } from '../lines/lines.ts'
import { isSame } from '../merge/same.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { changedEntity, changeKind } from './change.ts'
import { requireMergeable } from './conflicts.ts'
import { planMerge } from './plan.ts'
import type { PlannedChange } from './planned-change.ts'
import { packageEvent, requireState, storeChanged, withPackage, type PackagePlace } from './record.ts'
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
      requireState(place.package, ['open'], 'only an open package takes changes')
      const plan = await planMerge(inside, place, resolutions)
      requireMergeable(plan, planId)
      const turn = takingTurns()
      const changes: MergeReport['changes'] = []
      for (const change of plan.changes.filter(needsSync)) {
        changes.push(await bringUp(inside, tx, { place, change }))
        await turn()
      }
      if (changes.length === 0) return { planId: plan.planId, package: plainRecord(place.package), changes }
      const stored = await storeChanged(inside, tx, place.package)
      await tx.journal.record(
        packageEvent(inside, 'PACKAGE_SYNCED', { about: stored, details: { changes: changes.length } }),
      )
      return { planId: plan.planId, package: plainRecord(stored), changes }
    },
  })
}

/** Main moved, or a resolution gave the package another content. */
function needsSync(change: PlannedChange): boolean {
  return hasMainMoved(change) || !change.merged || !isSame(change.merged.content, change.ours.content)
}

async function bringUp(
  call: Call,
  tx: Transaction,
  { place, change }: { place: PackagePlace; change: PlannedChange },
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
    previous: head,
    origin: head,
    content: isSame(merged.content, ours.content) ? null : merged.content,
    marks: (version) => ({
      base: mainHead && baseOf(mainHead),
      archived: merged.archived,
      deletedDate: merged.deleted ? (head.deletedDate ?? call.now) : null,
      ...publishedMarks(merged.published, { head, version }),
    }),
    events: [rules.events.updated],
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

/** In the package what main has published is version 0. */
function publishedMarks(
  published: number | 'head' | null,
  { head, version }: { head: Entity; version: number },
): Partial<Entity> {
  if (published === 'head') return { publishedVersion: version }
  if (published === null) return { publishedVersion: null, publishedDate: null }
  return { publishedVersion: 0, publishedDate: head.publishedDate }
}
