import type { ContentType, Contract, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord } from '../call/records.ts'
import { findType } from './find.ts'

/** Locks a content type: every change but unlock is refused (specification 4.4). Locking twice is no error. */
export function lockType(
  call: Call,
  { id }: ParsedOf<Contract['types']['lock']>,
): Promise<Presented<ContentType>> {
  return setLock(call, { id, isLocked: true })
}

/** Unlocks a content type. Unlocking twice is no error. */
export function unlockType(
  call: Call,
  { id }: ParsedOf<Contract['types']['unlock']>,
): Promise<Presented<ContentType>> {
  return setLock(call, { id, isLocked: false })
}

function setLock(
  call: Call,
  { id, isLocked }: { id: string; isLocked: boolean },
): Promise<Presented<ContentType>> {
  requirePermission(call, 'admin.types.lock')
  return call.transaction(async (tx) => {
    const { revision, ...type } = await findType(within(call, tx), id)
    const stored = await tx.records.put('type', { ...type, isLocked, updatedDate: call.now }, revision)
    const event = isLocked ? 'TYPE_LOCKED' : 'TYPE_UNLOCKED'
    await tx.journal.record(recordEvent(call, event, { kind: 'type', id: type.id }))
    return presentRecord<'type'>(stored)
  })
}
