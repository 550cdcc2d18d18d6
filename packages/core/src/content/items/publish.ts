import {
  QuireError,
  type Contract,
  type Item,
  type JournalEvent,
  type ParsedOf,
  type PermissionKey,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { dateAfter } from '../kinds/heads.ts'
import { findScope } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'
import { findItem, requireOnItem } from './find.ts'
import { serializeHead } from './serialize.ts'
import { isPutOff, scheduleItem, type ScheduledKind } from './schedule.ts'
import { publishIssues } from './publishable.ts'
import { setItemState, requireState } from './save.ts'

type Group = Contract['items']

/**
 * Makes the head the published version, or at a time the one that is the head then. Errors: `not_publishable` with what is missing;
 * `invalid_state` when archived.
 */
export function publishItem(call: Call, input: ParsedOf<Group['publish']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.publish',
    event: 'ITEM_PUBLISHED',
    later: 'item.publish',
    state: async (head, call) => {
      requireState(!head.archived, 'The item is archived: unarchive it first.')
      const issues = await publishIssues(call, head)
      if (issues.length > 0) throw new QuireError('not_publishable', undefined, { issues })
      return { publishedVersion: head.version, publishedDate: dateAfter(call, head) }
    },
  })
}

/** Takes the published version back, now or at a time. Errors: `invalid_state` when there is none. */
export function unpublishItem(call: Call, input: ParsedOf<Group['unpublish']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.publish',
    event: 'ITEM_UNPUBLISHED',
    later: 'item.unpublish',
    state: async (head) => {
      requireState(head.publishedVersion !== null, 'No version of the item is published.')
      return { publishedVersion: null, publishedDate: null }
    },
  })
}

/** Hides an item from lists and published reads; what was published stays so underneath. Errors: `invalid_state` when archived. */
export function archiveItem(call: Call, input: ParsedOf<Group['archive']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.archive',
    event: 'ITEM_ARCHIVED',
    state: async (head) => {
      requireState(!head.archived, 'The item is archived.')
      return { archived: true }
    },
  })
}

/** Brings an archived item back. Errors: `invalid_state` when it is not archived. */
export function unarchiveItem(call: Call, input: ParsedOf<Group['unarchive']>): Promise<Serialized<Item>> {
  return setState(call, input, {
    key: 'items.archive',
    event: 'ITEM_UNARCHIVED',
    state: async (head) => {
      requireState(head.archived, 'The item is not archived.')
      return { archived: false }
    },
  })
}

interface StateChange {
  readonly key: PermissionKey
  readonly event: JournalEvent
  /** What does it at a time that was said. */
  readonly later?: ScheduledKind
  /** The marks to set; throws when the state does not permit it. */
  readonly state: (head: Entity, call: WriteCall) => Promise<Partial<Entity>>
}

interface StateInput {
  readonly configId: string
  readonly packageName?: string | undefined
  readonly id: string
  readonly at?: number | null | undefined
}

/** Errors: `not_found`, `forbidden`, `precondition_failed`, and those of the marks. */
function setState(
  call: Call,
  input: StateInput,
  { key, event, later, state }: StateChange,
): Promise<Serialized<Item>> {
  return call.write(async (call) => {
    const scope = await findScope(call, input)
    const previous = await findItem(call, scope, input.id)
    requireOnItem(call, previous, { key, branch: scope.branch, roles: 'write' })
    if (later && isPutOff(call, input.at)) {
      await scheduleItem(call, { kind: later, scope, head: previous, at: input.at })
      return serializeHead(call, scope.branch, previous)
    }
    const changed = await setItemState(call, {
      scope,
      previous,
      event,
      state: await state(previous, call),
    })
    return serializeHead(call, scope.branch, changed)
  })
}
