import { QuireError, type ContentType } from '@quire/contract'
import { remember, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { requireRecord } from '../call/records.ts'
import { byIdOrName } from '../lines/lines.ts'
import type { Stored } from '../ports/index.ts'

/** A content type by id or name. Errors: `not_found`, `precondition_failed`. */
export async function findType(call: Call, ref: string): Promise<Stored<'type'>> {
  return requireRecord<'type'>(
    call,
    await byIdOrName(call.store.records, 'type', ref),
    `content type "${ref}"`,
  )
}

/** The type of an item that is there. A type cannot be deleted while it has items, so absence is our fault. */
export async function typeOf(call: Call, { type }: { readonly type: string }): Promise<ContentType> {
  const found = await remember(call, `type:${type}`, () => call.store.records.find('type', `name:${type}`))
  if (!found) throw new QuireError('invalid_state', `The content type "${type}" is gone.`)
  return found
}

/** The type that a new item names. Errors: `invalid` when there is none. */
export async function typeNamed(call: Call, name: string): Promise<ContentType> {
  const found = await remember(call, `type:${name}`, () => call.store.records.find('type', `name:${name}`))
  if (!found) throw invalid([{ path: 'type', message: `there is no content type "${name}"` }])
  return found
}

/** Errors: `type_locked`. */
export function requireUnlocked(type: ContentType): void {
  if (type.isLocked)
    throw new QuireError('type_locked', `The content type "${type.name}" is locked: unlock it first.`)
}
