import {
  QuireError,
  type Contract,
  type Item,
  type JournalEvent,
  type ParsedOf,
  type PermissionKey,
} from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { findItem, requireOnItem } from './find.ts'
import { presentHead } from './show.ts'
import { isPutOff, scheduleItem, type ScheduledKind } from './schedule.ts'
import { publishIssues } from './publishable.ts'
import { markItem, requireState } from './save.ts'

type Group = Contract['items']

/**
 * Makes the head the published version, or at a time the one that is the head then. Errors: `not_publishable` with what is missing;
 * `invalid_state` when archived.
 */
export function publishItem(call: Call, input: ParsedOf<Group['publish']>): Promise<Presented<Item>> {
  return mark(call, input, {
    key: 'items.publish',
    event: 'ITEM_PUBLISHED',
    later: 'item.publish',
    marks: async (head, { tx, place }) => {
      requireState(!head.archived, 'The item is archived: unarchive it first.')
      const issues = await publishIssues(within(call, tx), head)
      if (issues.length > 0) throw new QuireError('not_publishable', undefined, { issues })
      // What the package had left alone becomes its version 1 with this mark.
      const version = head.packageId === place.line.packageId ? head.version : 1
      return { publishedVersion: version, publishedDate: call.now }
    },
  })
}

/** Takes the published version back, now or at a time. Errors: `invalid_state` when there is none. */
export function unpublishItem(call: Call, input: ParsedOf<Group['unpublish']>): Promise<Presented<Item>> {
  return mark(call, input, {
    key: 'items.publish',
    event: 'ITEM_UNPUBLISHED',
    later: 'item.unpublish',
    marks: async (head) => {
      requireState(head.publishedVersion !== null, 'No version of the item is published.')
      return { publishedVersion: null, publishedDate: null }
    },
  })
}

/** Hides an item from lists and published reads; what was published stays so underneath. Errors: `invalid_state` when archived. */
export function archiveItem(call: Call, input: ParsedOf<Group['archive']>): Promise<Presented<Item>> {
  return mark(call, input, {
    key: 'items.archive',
    event: 'ITEM_ARCHIVED',
    marks: async (head) => {
      requireState(!head.archived, 'The item is archived.')
      return { archived: true }
    },
  })
}

/** Brings an archived item back. Errors: `invalid_state` when it is not archived. */
export function unarchiveItem(call: Call, input: ParsedOf<Group['unarchive']>): Promise<Presented<Item>> {
  return mark(call, input, {
    key: 'items.archive',
    event: 'ITEM_UNARCHIVED',
    marks: async (head) => {
      requireState(head.archived, 'The item is not archived.')
      return { archived: false }
    },
  })
}

interface Marking {
  readonly key: PermissionKey
  readonly event: JournalEvent
  /** What does it at a time that was said. */
  readonly later?: ScheduledKind
  /** The marks to set; throws when the state does not permit it. */
  readonly marks: (head: Entity, at: { tx: Transaction; place: Place }) => Promise<Partial<Entity>>
}

interface MarkInput {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly id: string
  readonly at?: number | null | undefined
}

/** Errors: `not_found`, `forbidden`, `precondition_failed`, and those of the marks. */
function mark(call: Call, input: MarkInput, { key, event, later, marks }: Marking): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const previous = await findItem(inside, place, input.id)
    requireOnItem(call, previous, { key, roles: 'write' })
    if (later && isPutOff(call, input.at)) {
      await scheduleItem(call, tx, { kind: later, place, head: previous, at: input.at })
      return presentHead(inside, place.line, previous)
    }
    const marked = await markItem(call, tx, {
      place,
      previous,
      event,
      marks: await marks(previous, { tx, place }),
    })
    return presentHead(inside, place.line, marked)
  })
}
