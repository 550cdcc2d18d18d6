import { z } from 'zod'

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

/** The settings of users and service accounts. */
export const AccountSettings = z.strictObject({ quota: Quota.prefault({}) })

/** Merge patch of the settings of an account. */
export const AccountSettingsPatch = z.strictObject({ quota: QuotaPatch.optional() })

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

/** The usage that the examples of the reference show. */
export const exampleUsage: Usage = {
  bytes: 7_340_032,
  items: 12,
  versions: 31,
  quota: { ...noQuota, bytes: 1_073_741_824 },
}
