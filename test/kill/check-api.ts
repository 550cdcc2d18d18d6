import { untilAccepted } from '../server/until-accepted.ts'
import { addDamage, noDamage, type Damage } from './damage.ts'
import { hashOf, wordOf } from './content.ts'
import type { Acknowledged, Ledger, Sent } from './ledger.ts'
import { itemOf, openWire, pageOf, type Wire } from './wire.ts'
import { acknowledgedItem, pathOf, repository } from './writer.ts'

interface Served {
  readonly url: string
  readonly token: string
}

const readers = 8
const searchPath = `/api/items/${repository}?`

/**
 * Reads through the API what was acknowledged since the last check. Each version must be as it was
 * sent. A search must find the item by the word of its current content, and nothing by the words of
 * older content.
 */
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
        damage = addDamage(damage, await checkFound(wire, entry))
      }
      wire.close()
      return damage
    }),
  )
  return checked.reduce(addDamage, noDamage)
}

async function checkVersion(wire: Wire, ledger: Ledger, { key, id, version }: Acknowledged): Promise<Damage> {
  const answer = await wire.read(`${pathOf(id)}?version=${version}`)
  const location = `${key}: ${id} version ${version}`
  if (answer.status === 404) return { ...noDamage, lost: [location] }
  const isWhole = hashOf(itemOf(answer)) === ledger.sent.get(key)?.hash
  return isWhole ? noDamage : { ...noDamage, torn: [location] }
}

async function checkFound(wire: Wire, { key, id }: Acknowledged): Promise<Damage> {
  const head = await wire.read(pathOf(id))
  // A missing item is reported by the check of its version.
  if (head.status === 404) return noDamage
  const wanted = itemOf(head).fields.key === key ? id : ''
  const { items } = pageOf(await wire.read(`${searchPath}text=${encodeURIComponent(`"${wordOf(key)}"`)}`))
  const found = items.map((item) => item.id).join(', ')
  if (found === wanted) return noDamage
  return {
    ...noDamage,
    torn: [`${key}: a search finds ${found || 'nothing'} instead of ${wanted || 'nothing'}`],
  }
}

/**
 * Compares the number of items in the file, in a list, and in a search for the word that all names
 * contain.
 */
export async function checkCounts({ url, token }: Served, inFile: number): Promise<Damage> {
  const wire = openWire(url, token)
  const list = await wire.read(`${searchPath}limit=1`)
  if (list.status === 404) {
    wire.close()
    return { ...noDamage, lost: [`the repository "${repository}"`] }
  }
  const listed = pageOf(list).count
  const found = pageOf(await wire.read(`${searchPath}limit=1&text=write`)).count
  wire.close()
  if (listed === inFile && found === inFile) return noDamage
  return { ...noDamage, torn: [`the file holds ${inFile} items, a list ${listed}, a search ${found}`] }
}

/**
 * Sends unanswered requests again with the same Idempotency-Key or ETag. Each must take effect now,
 * or be reported as already done. An update of the shared item without an ETag cannot be repeated
 * without a second effect, so it stays unknown. Returns as lost what they refer to and is gone.
 */
export async function retryUnknown(served: Served, ledger: Ledger): Promise<Damage> {
  const wire = openWire(served.url, served.token)
  const lost: string[] = []
  for (const sent of ledger.unknown().filter(isRepeatable)) {
    const answer = await untilAccepted(() => wire.write(sent))
    // Its item is gone. If the item was ever acknowledged, it is counted as lost.
    if (answer.status === 404) {
      await ledger.noteRefused(sent.key)
      continue
    }
    // Only what was acknowledged is referred to.
    if (answer.status === 400) {
      lost.push(`what ${sent.key} refers to: ${answer.body.toString()}`)
      await ledger.noteRefused(sent.key)
      continue
    }
    // It took effect before the kill, so the following checks must find it.
    if (answer.status === 412 && sent.ifMatch !== undefined) {
      await ledger.noteEffective(sent.key)
      continue
    }
    const { id, latestVersion } = acknowledgedItem(sent, answer)
    await ledger.noteAcknowledged({ key: sent.key, id, version: latestVersion })
  }
  wire.close()
  return { ...noDamage, lost }
}

function isRepeatable({ method, ifMatch }: Sent): boolean {
  return method === 'POST' || ifMatch !== undefined
}
