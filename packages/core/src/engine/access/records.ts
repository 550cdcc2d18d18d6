import {
  noBudget,
  type Budget,
  type Bundle,
  type Group,
  type Preferences,
  type Quota,
  type Role,
  type ServiceAccount,
  type User,
} from '@quire/contract'
import type { RecordReader } from '../../ports/index.ts'

/** A stored secret of a service account: only its keyed hash. */
export interface StoredSecret {
  readonly id: string
  /** HMAC-SHA-256 of the secret under the server key. */
  readonly hash: string
  readonly createdDate: number
}

/** A record that may be older than the member `branchOnly`: absent means false. */
type BranchOnly<T> = Omit<T, 'branchOnly'> & { readonly branchOnly?: boolean }

/** The settings of an account, which may be older than budgets. */
export interface StoredSettings {
  readonly quota: Quota
  readonly budget?: Budget
}

interface WithSettings {
  readonly settings?: StoredSettings | undefined
}

/** A stored service account. */
export interface ServiceAccountRecord
  extends BranchOnly<Omit<ServiceAccount, 'secrets' | 'settings'>>, WithSettings {
  readonly secrets: readonly StoredSecret[]
  /**
   * Included in tokens; grows when a secret is removed, so that tokens issued before are refused at
   * once.
   */
  readonly epoch: number
}

/** A stored user (specification 2.7); preferences are a separate record. */
export interface UserRecord extends BranchOnly<Omit<User, 'preferences' | 'settings'>>, WithSettings {
  /**
   * Unix ms of the creation, then of each time the user was disabled: sessions issued before it are
   * refused.
   */
  readonly epoch: number
}

/** A stored role. */
export type RoleRecord = BranchOnly<Role>

/** A custom bundle; the built-in ones are in the contract. */
export type BundleRecord = Omit<Bundle, 'isBuiltIn'>

/** The preferences of a user, under the user's id. */
interface PreferencesRecord {
  readonly id: string
  readonly preferences: Preferences
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    role: RoleRecord
    bundle: BundleRecord
    user: UserRecord
    preferences: PreferencesRecord
    group: Group
    serviceAccount: ServiceAccountRecord
  }
}

/** The members that users and service accounts share. */
export interface Account {
  readonly kind: 'user' | 'service'
  readonly id: string
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
  readonly groups: readonly string[]
  /** Legacy entries (specification 2.7). */
  readonly repos: Role['repos']
  readonly enabled: boolean
  /** Whether all its grants apply in packages only, whatever gives them. */
  readonly branchOnly: boolean
  /** What it may use in a day; null: no limit. */
  readonly budget: Budget | null
  readonly expiresAt: number | null
  readonly epoch: number
  readonly createdDate: number
}

/** Null when there is no such account. */
export async function findAccount(
  records: RecordReader,
  { kind, id }: { kind: 'user' | 'service'; id: string },
): Promise<Account | null> {
  if (kind === 'service') {
    const account = await records.get('serviceAccount', id)
    return account && accountOfService(account)
  }
  const user = await records.get('user', id)
  return user && accountOfUser(user)
}

/** A service account as an account. */
export function accountOfService(record: ServiceAccountRecord): Account {
  return { ...record, kind: 'service', email: '', repos: [], ...limitsOf(record) }
}

/** A user as an account. */
export function accountOfUser(record: UserRecord): Account {
  return { ...record, kind: 'user', email: record.id, expiresAt: null, ...limitsOf(record) }
}

function limitsOf({
  branchOnly = false,
  settings,
}: UserRecord | ServiceAccountRecord): Pick<Account, 'branchOnly' | 'budget'> {
  const budget = settings?.budget ?? noBudget
  return { branchOnly, budget: budget.calls === null && budget.bytes === null ? null : budget }
}
