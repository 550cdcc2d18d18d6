import type { ContentType, Item } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { startOf } from '../lines/heads.ts'
import type { Landing } from '../lines/line-kind.ts'
import { isSame } from '../merge/same.ts'
import type { Entity, Snapshot, Transaction } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { renderCard } from './card.ts'
import { requireSoundContent } from './check.ts'
import { asContent, asJson, contentOf, emptyContent, snapshotOf, type ItemContent } from './content.ts'
import { surroundingsOf, withVersion } from './present.ts'
import { sameMarks, writeHead } from './save.ts'

/**
 * Writes what comes from another line as one head: a new version when it says something else, with its marks and a journal entry
 * for each event. Errors: as a save; `slug_taken`.
 */
export async function landItem(
  call: Call,
  tx: Transaction,
  { place, previous, origin, content, marks, events, details }: Landing,
): Promise<Entity> {
  const type = await typeOf(within(call, tx), origin)
  const start = startOf(place, { previous, origin })
  const sound =
    content &&
    (await requireSoundContent(tx, {
      line: place.line,
      type,
      content: asContent(content, emptyContent),
      id: origin.id,
      previous: previous ?? origin,
    }))
  const isNew = start.version === 0 || (content !== null && !isSame(content, asJson(contentOf(start))))
  const version = start.version + Number(isNew)
  const said = isNew &&
    sound && {
      ...(await snapshotIn(type, sound)),
      updatedDate: call.now,
      updatedBy: call.identity.ref,
    }
  const same = content === null && sameMarks(start)
  const head: Entity = {
    ...start,
    ...said,
    ...same,
    version,
    revision: start.revision + 1,
    ...marks(version),
  }
  const around = {
    packageName: place.package?.name ?? null,
    versionHistory: historyOf({ previous, head, isNew }),
  }
  return writeHead(call, tx, { type, head, around, events, details })
}

async function snapshotIn(type: ContentType, content: ItemContent): Promise<Snapshot> {
  return snapshotOf(content, { type: type.name, cardPreview: await renderCard(type, content) })
}

function historyOf({
  previous,
  head,
  isNew,
}: {
  previous: Entity | null
  head: Entity
  isNew: boolean
}): Item['versionHistory'] {
  // On another line the history begins anew: versions are numbered on their line.
  const before = previous?.packageId === head.packageId ? surroundingsOf(previous).versionHistory : []
  if (!isNew) return before
  return withVersion(before, { version: head.version, date: head.updatedDate, user: head.updatedBy })
}
