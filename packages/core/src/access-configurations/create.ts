import type { AccessConfiguration, Contract, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { sentMembers } from '../call/records.ts'
import { securityEvent } from '../security/audit.ts'
import { requireSound } from './sound.ts'
import { keptMembers, presentConfiguration, shownConfiguration } from './stored.ts'

/** Keeps an access configuration under a new id. Errors: `forbidden`; `invalid` for what could not be used, or is the service's to say. */
export async function generateKey(
  call: Call,
  given: ParsedOf<Contract['admin']['generateKey']>,
): Promise<Presented<AccessConfiguration>> {
  requirePermission(call, 'admin.access.update')
  const { name, type, ...rest } = given
  const members = sentMembers(rest)
  requireSound(call, { given, members })
  const { environment, now: createdDate } = call
  const id = environment.ids.next('ACCS')
  const kept = await keptMembers(environment, id, members)
  return call.transaction(async (tx) => {
    const stored = await tx.records.put('accessConfiguration', { id, name, type, ...kept, createdDate }, 0)
    const change = { kind: 'accessConfiguration', id, after: shownConfiguration(stored) } as const
    await tx.journal.record(securityEvent(call, 'ACCESS_CONFIGURATION_CREATED', change))
    return presentConfiguration(stored)
  })
}
