import type { Contract, OutputOf } from '@quire/contract'
import { newKey, publishedBeforeMs } from '../../auth/keys.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import { securityEvent } from '../audit.ts'

/** Makes the next key that signs tokens. The one before goes on until everybody knows the new one, and verifies after that. */
export async function rotateKeys(call: Call): Promise<OutputOf<Contract['security']['rotateKeys']>> {
  requirePermission(call, 'security.keys.update')
  const key = await newKey(call.environment)
  await call.transaction(async (tx) => {
    await tx.records.put('signingKey', key, 0)
    await tx.journal.record(securityEvent(call, 'SIGNING_KEY_ROTATED', { kind: 'signingKey', id: key.id }))
  })
  return { id: key.id, signsFrom: key.createdDate + publishedBeforeMs }
}
