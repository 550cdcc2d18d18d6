import {
  noBudget,
  noQuota,
  type AccountSettings,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type PermissionKey,
} from '@quire/contract'
import { ownerOf } from '../engine/access/identity.ts'
import type { Account, StoredSettings } from '../engine/access/records.ts'
import { dayOf, dayUse } from '../engine/day-use.ts'
import { mayDo } from '../engine/access/permissions.ts'
import { notPermitted, type Call } from '../engine/call.ts'
import { usageOf } from '../engine/quotas.ts'
import { sentMembers } from '../engine/record-rules.ts'

type Patch = ParsedOf<Contract['users']['update']>['settings']

/**
 * The settings of an account after a patch, as a member to spread. Without settings and patch,
 * there is no member.
 */
export function patchSettings(
  settings: StoredSettings | undefined,
  patch: Patch,
): { settings?: StoredSettings } {
  if (!patch) return settings ? { settings } : {}
  return {
    settings: {
      quota: { ...noQuota, ...settings?.quota, ...sentMembers(patch.quota) },
      budget: { ...noBudget, ...settings?.budget, ...sentMembers(patch.budget) },
    },
  }
}

/** The settings of an account as they are sent, as a member to spread. */
export function serializeSettings(settings: StoredSettings | undefined): { settings?: AccountSettings } {
  return settings ? { settings: { ...settings, budget: settings.budget ?? noBudget } } : {}
}

/** Requires that the caller is this account, or holds the permission. Errors: `forbidden`. */
export function requireOwn(call: Call, id: string, key: PermissionKey): void {
  const { kind, id: own, permissions } = call.identity
  if ((kind === 'user' || kind === 'service') && own === id) return
  if (!mayDo(permissions, key)) throw notPermitted([key])
}

/** The stored content that an account created, its quota, and what it has used of its budget today. */
export async function accountUsage(
  { store, now }: Call,
  account: Account,
  settings: StoredSettings | undefined,
): Promise<OutputOf<Contract['users']['usage']>> {
  const usage = await usageOf(store, { of: 'account', id: account.id }, settings?.quota ?? noQuota)
  const { budget } = account
  if (!budget) return usage
  const day = dayOf(ownerOf(account), now)
  const { calls: usedCalls, bytes: usedBytes } = await dayUse(store.ephemera, day, now)
  return { ...usage, budget: { ...budget, usedCalls, usedBytes, resetsAt: day.end } }
}
