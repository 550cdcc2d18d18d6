import {
  noQuota,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type PermissionKey,
  type Quota,
} from '@quire/contract'
import { mayDo } from '../engine/access/permissions.ts'
import { notPermitted, type Call } from '../engine/call.ts'
import { usageOf } from '../engine/quotas.ts'
import { sentMembers } from '../engine/record-rules.ts'

interface Settings {
  readonly quota: Quota
}

type Patch = ParsedOf<Contract['users']['update']>['settings']

/**
 * The settings of an account after a patch, as a member to spread. Without settings and patch,
 * there is no member.
 */
export function patchSettings(settings: Settings | undefined, patch: Patch): { settings?: Settings } {
  if (!patch) return settings ? { settings } : {}
  return { settings: { quota: { ...noQuota, ...settings?.quota, ...sentMembers(patch.quota) } } }
}

/** Requires that the caller is this account, or holds the permission. Errors: `forbidden`. */
export function requireOwn(call: Call, id: string, key: PermissionKey): void {
  const { kind, id: own, permissions } = call.identity
  if ((kind === 'user' || kind === 'service') && own === id) return
  if (!mayDo(permissions, key)) throw notPermitted([key])
}

/** The stored content that an account created, and its quota. */
export function accountUsage(
  call: Call,
  { id, settings }: { readonly id: string; readonly settings?: Settings | undefined },
): Promise<OutputOf<Contract['users']['usage']>> {
  return usageOf(call.store, { of: 'account', id }, settings?.quota ?? noQuota)
}
