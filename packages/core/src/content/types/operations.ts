import {
  defaultApiName,
  type ContentType,
  type Contract,
  type OutputOf,
  type ParsedOf,
  QuireError,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call } from '../../engine/call.ts'
import { pageOf } from '../../engine/paging.ts'
import { serializeRecord } from '../../engine/record-rules.ts'
import { findType, requireUnlocked, moveGrants, hasItems } from './find.ts'
import { recordEvent } from '../../engine/journal.ts'
import { requireValidType } from './definition.ts'

type Group = Contract['types']

/** Lists content types, or only the one with a given name (specification 4.3). */
async function listTypes(
  call: Call,
  { name, ...page }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const all = await call.store.records.list('type')
  const listed = pageOf(name === undefined ? all : all.filter((type) => type.name === name), page)
  return { ...listed, items: listed.items.map((stored) => serializeRecord<'type'>(stored).value()) }
}

/** Reads a content type. Errors: `not_found`. */
async function getType(call: Call, { id }: ParsedOf<Group['get']>): Promise<Serialized<ContentType>> {
  return serializeRecord<'type'>(await findType(call, id))
}

/** Creates a content type. Errors: `name_taken`; `invalid` for a definition that is not valid. */
async function createType(
  call: Call,
  input: ParsedOf<Contract['types']['create']>,
): Promise<Serialized<ContentType>> {
  await requireValidType(input)
  const type: ContentType = {
    id: call.environment.ids.next('TYPE'),
    name: input.name,
    displayName: input.displayName ?? input.name,
    apiName: input.apiName ?? defaultApiName(input.name),
    description: input.description,
    isLocked: false,
    settings: input.settings,
    fields: input.fields,
    createdDate: call.now,
    updatedDate: call.now,
  }
  return call.write(async (call) => {
    const stored = await call.store.records.put('type', type, 0)
    await call.record(recordEvent(call, 'TYPE_CREATED', { kind: 'type', id: stored.id }))
    return serializeRecord<'type'>(stored)
  })
}

/**
 * Deletes a content type. Errors: `not_found`, `type_locked`; `type_in_use` if items of the type
 * exist.
 */
async function deleteType(call: Call, { id }: ParsedOf<Contract['types']['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    const type = await findType(call, id)
    requireUnlocked(type)
    if (await hasItems(call.store, type.name))
      throw new QuireError('type_in_use', `The content type "${type.name}" still has items.`)
    await moveGrants(call, { type: type.name, to: null })
    await call.store.records.delete('type', type.id, type.revision)
    await call.record(recordEvent(call, 'TYPE_DELETED', { kind: 'type', id: type.id }))
    return undefined
  })
}

/**
 * Locks a content type, so that every change except unlocking is rejected (specification 4.4).
 * Locking it twice is not an error.
 */
function lockType(call: Call, { id }: ParsedOf<Contract['types']['lock']>): Promise<Serialized<ContentType>> {
  return setLock(call, { id, isLocked: true })
}

/** Unlocks a content type. Unlocking it twice is not an error. */
function unlockType(
  call: Call,
  { id }: ParsedOf<Contract['types']['unlock']>,
): Promise<Serialized<ContentType>> {
  return setLock(call, { id, isLocked: false })
}

function setLock(
  call: Call,
  { id, isLocked }: { id: string; isLocked: boolean },
): Promise<Serialized<ContentType>> {
  return call.write(async (call) => {
    const { revision, ...type } = await findType(call, id)
    const stored = await call.store.records.put(
      'type',
      { ...type, isLocked, updatedDate: call.now },
      revision,
    )
    const event = isLocked ? 'TYPE_LOCKED' : 'TYPE_UNLOCKED'
    await call.record(recordEvent(call, event, { kind: 'type', id: type.id }))
    return serializeRecord<'type'>(stored)
  })
}

export {
  createType as create,
  deleteType as delete,
  lockType as lock,
  unlockType as unlock,
  getType as get,
  listTypes as list,
}
