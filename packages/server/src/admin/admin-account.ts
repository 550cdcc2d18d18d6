import { readFile } from 'node:fs/promises'
import { QuireError } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import { randomIds, systemClock } from '@quire/core/memory'
import { type ServiceAccountRecord, StoreConflict } from '@quire/core/ports'
import { writePrivateFile } from '../storage/private-file.ts'
import type { OpenedQuire } from '../open-quire.ts'
import { environmentNames, type Credentials } from './credentials.ts'

/** The service account to begin with, and where its secret is. */
export interface AdminAccount {
  readonly clientId: string
  readonly secretIn: { readonly file: string } | { readonly variable: string }
}

/**
 * Sees to it that somebody can get in: the account that is given, with exactly that secret; else, while there is no account at all,
 * a new one, whose secret is kept in `admin.json` (0600). Null when there are others and that file was taken away.
 */
export async function ensureAdmin(
  opened: OpenedQuire,
  given: Credentials | undefined,
): Promise<AdminAccount | null> {
  if (given) {
    await retryingRaces(() => putAccount(opened, given))
    return { clientId: given.clientId, secretIn: { variable: environmentNames.secret } }
  }
  const file = opened.folder.admin
  const isFirst = (await opened.store.records.list('serviceAccount')).length === 0
  // The file before the account: a crash between the two is mended by the next start.
  if (isFirst) await writePrivateFile(file, `${JSON.stringify(newCredentials(), null, 2)}\n`)
  const known = await readCredentials(file)
  if (!known) return null
  if (isFirst) await retryingRaces(() => putAccount(opened, known))
  return { clientId: known.clientId, secretIn: { file } }
}

/** How often servers that start at the same time may be in each other's way. */
const mostRaces = 5

/** Does work again that another server was in the way of: what that one did is found then. */
async function retryingRaces(work: () => Promise<void>, races = mostRaces): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isRace = error instanceof StoreConflict || (error instanceof QuireError && error.status === 409)
    if (!isRace || races === 0) throw error
    await retryingRaces(work, races - 1)
  }
}

/** The role of administrators, made when there is none yet. */
async function administrators({ quire, store }: OpenedQuire): Promise<string> {
  const name = 'Administrators'
  const found = await store.records.find('role', `name:${name}`)
  if (found) return found.id
  const role = await quire
    .as(systemIdentity('first-start'))
    .roles.create({ name, bundles: ['bundle.administrator'] })
  return role.id
}

function newCredentials(): Credentials {
  const ids = randomIds(systemClock())
  return { clientId: ids.next('SVCA'), clientSecret: ids.secret(32) }
}

async function readCredentials(file: string): Promise<Credentials | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

// Below the API, which makes ids and secrets of its own: nobody is there yet who could have called it.
async function putAccount(opened: OpenedQuire, { clientId, clientSecret }: Credentials): Promise<void> {
  const { store, secrets } = opened
  const hashes = await secrets.hmacs(clientSecret)
  const [hash = ''] = hashes
  const stored = await store.records.get('serviceAccount', clientId)
  if (stored?.enabled && stored.secrets.some((secret) => hashes.includes(secret.hash))) return
  const role = await administrators(opened)
  const { revision, ...before } = stored ?? { ...newAccount(clientId, role), revision: 0 }
  const now = Date.now()
  const account: ServiceAccountRecord = {
    ...before,
    enabled: true,
    secrets: [{ id: randomIds(systemClock()).next('SECR'), hash, createdDate: now }],
    epoch: before.epoch + 1,
    updatedDate: now,
  }
  await store.transaction((tx) => tx.records.put('serviceAccount', account, revision))
}

function newAccount(id: string, role: string): ServiceAccountRecord {
  const createdDate = Date.now()
  const members = {
    description: 'Made at the first start',
    groups: [],
    expiresAt: null,
    enabled: true,
    secrets: [],
    epoch: 0,
  }
  return { id, name: 'Administrator', roles: [role], ...members, createdDate, updatedDate: createdDate }
}
