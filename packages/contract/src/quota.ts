import { z } from 'zod'

const most = (what: string) => z.int().min(0).nullable().describe(`${what} at most; null: any number`)

const members = {
  bytes: most('Bytes of texts and files, with every version'),
  items: most('Items and assets, with what was deleted and not purged'),
  versions: most('Versions'),
}

/** What may be kept at most. */
export const Quota = z
  .strictObject({
    bytes: members.bytes.default(null),
    items: members.items.default(null),
    versions: members.versions.default(null),
  })
  .describe('What may be kept at most; what would add beyond it is 507 `quota_exceeded`')

/** What may be kept at most. */
export type Quota = z.output<typeof Quota>

/** A quota that limits nothing. */
export const noQuota: Quota = { bytes: null, items: null, versions: null }

/** Merge patch of a quota: members that are sent replace. */
export const QuotaPatch = z.strictObject({
  bytes: members.bytes.optional(),
  items: members.items.optional(),
  versions: members.versions.optional(),
})

/** What accounts may keep: settings of users and service accounts. */
export const AccountSettings = z.strictObject({ quota: Quota.prefault({}) })

/** Merge patch of such settings. */
export const AccountSettingsPatch = z.strictObject({ quota: QuotaPatch.optional() })

/** What is kept, and what may be. */
export const Usage = z
  .object({
    bytes: z.int().describe('Bytes of texts and files that are kept, with every version'),
    items: z.int().describe('Items and assets, with what was deleted and not purged'),
    versions: z.int().describe('Versions'),
    quota: Quota,
  })
  .meta({ id: 'Usage', description: 'What is kept, and what may be' })

/** What is kept, as answered. */
export type Usage = z.output<typeof Usage>

/** An example. */
export const exampleUsage: Usage = {
  bytes: 7_340_032,
  items: 12,
  versions: 31,
  quota: { ...noQuota, bytes: 1_073_741_824 },
}
