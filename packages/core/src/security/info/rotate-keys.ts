import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { newKey, publishedBeforeMs, resealed } from '../../auth/keys.ts'
import { requirePermission, type Call } from '../../call/call.ts'
import type { SigningKeyRecord } from '../../ports/index.ts'
import { securityEvent } from '../audit.ts'

type RotateKeys = Contract['security']['rotateKeys']
type Rotated = OutputOf<RotateKeys>

/** Makes the next key of a kind; those before go on as long as something needs them, and nothing has to stop. */
export function rotateKeys(call: Call, input: ParsedOf<RotateKeys>): Promise<Rotated> {
  requirePermission(call, 'security.keys.update')
  return input.of === 'tokens' ? rotateSigningKey(call) : rotateServerKey(call)
}

/** The key before signs until everybody knows the new one, and verifies after that. */
async function rotateSigningKey(call: Call): Promise<Rotated> {
  const key = await newKey(call.environment)
  await call.transaction(async (tx) => {
    await tx.records.put('signingKey', key, 0)
    await tx.journal.record(securityEvent(call, 'SIGNING_KEY_ROTATED', { kind: 'signingKey', id: key.id }))
  })
  return { id: key.id, usedFrom: key.createdDate + publishedBeforeMs }
}

/** What is sealed for long is sealed anew; what lives for a day opens under the key before until it has ended. */
async function rotateServerKey(call: Call): Promise<Rotated> {
  const id = await call.environment.secrets.rotate()
  const keys = await call.store.records.list('signingKey')
  const anew = new Map<string, SigningKeyRecord>()
  for (const key of keys) anew.set(key.id, await resealed(call.environment, key))
  await call.transaction(async (tx) => {
    for (const { id: keyId, revision } of await tx.records.list('signingKey')) {
      const key = anew.get(keyId)
      if (key) await tx.records.put('signingKey', key, revision)
    }
    await tx.journal.record(securityEvent(call, 'SERVER_KEY_ROTATED', { kind: 'serverKey', id }))
  })
  return { id, usedFrom: call.now }
}
