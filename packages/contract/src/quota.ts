import { z } from 'zod'
import { UnixMs } from './conventions.ts'

const most = (what: string) => z.int().min(0).nullable().describe(`Maximum number of ${what}; null: no limit`)

const members = {
  bytes: most('bytes of texts and files, in all versions'),
  items: most('items and assets, including deleted ones that are not purged yet'),
  versions: most('versions'),
}

/** The limits on how much may be stored. */
export const Quota = z
  .strictObject({
    bytes: members.bytes.default(null),
    items: members.items.default(null),
    versions: members.versions.default(null),
  })
  .describe('Limits on how much may be stored. A write that would exceed one is 507 `quota_exceeded`')

/** The limits on how much may be stored. */
export type Quota = z.output<typeof Quota>

/** A quota that limits nothing. */
export const noQuota: Quota = { bytes: null, items: null, versions: null }

/** Merge patch of a quota: only the members that are sent change. */
export const QuotaPatch = z.strictObject({
  bytes: members.bytes.optional(),
  items: members.items.optional(),
  versions: members.versions.optional(),
})

const spent = {
  calls: most('calls'),
  bytes: most('bytes, sent and received'),
}

/** The limits on what an account may use in a day. */
export const Budget = z
  .strictObject({ calls: spent.calls.default(null), bytes: spent.bytes.default(null) })
  .describe(
    'Limits on what the account may use in a day (UTC). Calls are 429 `budget_exceeded` when one is used up',
  )

/** The limits on what an account may use in a day. */
export type Budget = z.output<typeof Budget>

/** A budget that limits nothing. */
export const noBudget: Budget = { calls: null, bytes: null }

/** The settings of users and service accounts. */
export const AccountSettings = z.strictObject({ quota: Quota.prefault({}), budget: Budget.prefault({}) })

/** The settings of users and service accounts. */
export type AccountSettings = z.output<typeof AccountSettings>

/** Merge patch of the settings of an account. */
export const AccountSettingsPatch = z.strictObject({
  quota: QuotaPatch.optional(),
  budget: z.strictObject({ calls: spent.calls.optional(), bytes: spent.bytes.optional() }).optional(),
})

/** How much is stored, and the quota. */
export const Usage = z
  .object({
    bytes: z.int().describe('Bytes of texts and files, in all versions'),
    items: z.int().describe('Items and assets, including deleted ones that are not purged yet'),
    versions: z.int().describe('Versions'),
    quota: Quota,
  })
  .meta({ id: 'Usage', description: 'How much is stored, and the quota' })

/** How much is stored, and the quota. */
export type Usage = z.output<typeof Usage>

/** What an account has stored, and what it has used today. */
export const AccountUsage = Usage.extend({
  budget: z
    .object({
      ...Budget.shape,
      usedCalls: z.int().describe('Calls of today, without those under way'),
      usedBytes: z.int().describe('Bytes of today, without those under way'),
      resetsAt: UnixMs.describe('When the next day begins (UTC)'),
    })
    .optional()
    .describe('What was used of the budget; absent: the account has none'),
}).meta({ id: 'AccountUsage', description: 'What an account has stored, and what it has used today' })

/** The usage that the examples of the reference show. */
export const exampleUsage: Usage = {
  bytes: 7_340_032,
  items: 12,
  versions: 31,
  quota: { ...noQuota, bytes: 1_073_741_824 },
}
