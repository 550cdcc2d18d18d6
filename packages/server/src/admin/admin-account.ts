import { readFile } from 'node:fs/promises'
import { QuireError } from '@quire/contract'
import { systemIdentity } from '@quire/core'
import { randomIds, systemClock } from '@quire/core/memory'
import { type ServiceAccountRecord, StoreConflict } from '@quire/core/ports'
import { writePrivateFile } from '../storage/private-file.ts'
import type { OpenedQuire } from '../open-quire.ts'
import { environmentNames, type Credentials } from './credentials.ts'

/** The first service account, and where its secret is. */
export interface AdminAccount {
  readonly clientId: string
  readonly secretIn: { readonly file: string } | { readonly variable: string }
}

/**
 * Ensures that somebody can call the API. With given credentials, stores an account with exactly
 * that id and secret. Otherwise, when there is no account at all, creates one and writes its secret
 * to `admin.json` (0600). Null when other accounts exist and that file was removed.
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
  // The file is written before the account, so that the next start completes what a crash in
  // between left undone.
  if (isFirst) await writePrivateFile(file, `${JSON.stringify(newCredentials(), null, 2)}\n`)
  const known = await readCredentials(file)
  if (!known) return null
  if (isFirst) await retryingRaces(() => putAccount(opened, known))
  return { clientId: known.clientId, secretIn: { file } }
}

/** Retries after conflicts with other servers that start at the same time. */
const mostRetries = 5

/**
 * Repeats work that conflicted with another server. The repetition finds the result of that server.
 */
async function retryingRaces(work: () => Promise<void>, retries = mostRetries): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isRace = error instanceof StoreConflict || (error instanceof QuireError && error.status === 409)
    if (!isRace || retries === 0) throw error
    await retryingRaces(work, retries - 1)
  }
}

/** The id of the role Administrators, which is created if it does not exist. */
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

/** The credentials in `admin.json`; undefined if there is no such file. */
export async function readCredentials(file: string): Promise<Credentials | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

// Written below the API: the API generates its own ids and secrets, and no caller exists yet.
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
    description: 'Created on the first start',
    groups: [],
    expiresAt: null,
    enabled: true,
    secrets: [],
    epoch: 0,
  }
  return { id, name: 'Administrator', roles: [role], ...members, createdDate, updatedDate: createdDate }
}
