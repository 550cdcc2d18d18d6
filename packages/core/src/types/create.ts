import type { ContentType, Contract, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { recordEvent } from '../call/journal.ts'
import { presentRecord } from '../call/records.ts'
import { requireSoundType } from './definition.ts'

/** Creates a content type. Errors: `name_taken`; `invalid` for fields that cannot be. */
export async function createType(
  call: Call,
  input: ParsedOf<Contract['types']['create']>,
): Promise<Presented<ContentType>> {
  requirePermission(call, 'admin.types.update')
  await requireSoundType(input)
  const type: ContentType = {
    id: call.environment.ids.next('TYPE'),
    name: input.name,
    displayName: input.displayName ?? input.name,
    apiName: input.apiName ?? pascalCase(input.name),
    description: input.description,
    isLocked: false,
    settings: input.settings,
    fields: input.fields,
    createdDate: call.now,
    updatedDate: call.now,
  }
  return call.transaction(async (tx) => {
    const stored = await tx.records.put('type', type, 0)
    await tx.journal.record(recordEvent(call, 'TYPE_CREATED', { kind: 'type', id: stored.id }))
    return presentRecord<'type'>(stored)
  })
}

function pascalCase(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
