import { addDamage, noDamage, type Damage } from './damage.ts'
import { hashOf } from './content.ts'
import type { Acknowledged, Ledger, Sent } from './ledger.ts'
import { itemOf, openWire, type Wire } from './wire.ts'
import { acknowledgedItem, pathOf } from './writer.ts'

interface Served {
  readonly url: string
  readonly token: string
}

const readers = 8

/** Reads over the API what was acknowledged since the last check: the version as it was sent, and the item by search and slug. */
export async function checkApi(
  served: Served,
  ledger: Ledger,
  acknowledged: readonly Acknowledged[],
): Promise<Damage> {
  const queue = [...acknowledged]
  const checked = await Promise.all(
    Array.from({ length: readers }, async () => {
      const wire = openWire(served.url, served.token)
      let damage = noDamage
      for (let entry = queue.pop(); entry; entry = queue.pop()) {
        damage = addDamage(damage, await checkVersion(wire, ledger, entry))
      }
      wire.close()
      return damage
    }),
  )
  return checked.reduce(addDamage, noDamage)
}

async function checkVersion(wire: Wire, ledger: Ledger, { key, id, version }: Acknowledged): Promise<Damage> {
  const answer = await wire.read(`${pathOf(id)}?version=${version}`)
  const place = `${key}: ${id} version ${version}`
  if (answer.status === 404) return { ...noDamage, lost: [place] }
  const isWhole = hashOf(itemOf(answer)) === ledger.sent.get(key)?.hash
  return isWhole ? noDamage : { ...noDamage, torn: [place] }
}

/**
 * Sends again what got no answer, with the same Idempotency-Key, or under the same ETag: it must take effect now, or be told to
 * have done so. What changed the shared item under no ETag cannot be sent again without a second effect: it stays unknown.
 */
export async function retryUnknown(served: Served, ledger: Ledger): Promise<void> {
  const wire = openWire(served.url, served.token)
  for (const sent of ledger.unknown().filter(isRepeatable)) {
    const answer = await wire.write(sent)
    // Its item is gone: if that was ever acknowledged, it will be counted as lost.
    if (answer.status === 404) {
      await ledger.noteRefused(sent.key)
      continue
    }
    // It took effect before the kill: what follows must find it.
    if (answer.status === 412 && sent.ifMatch !== undefined) {
      await ledger.noteEffective(sent.key)
      continue
    }
    const { id, latestVersion } = acknowledgedItem(sent, answer)
    await ledger.noteAcknowledged({ key: sent.key, id, version: latestVersion })
  }
  wire.close()
}

function isRepeatable({ method, ifMatch }: Sent): boolean {
  return method === 'POST' || ifMatch !== undefined
}
