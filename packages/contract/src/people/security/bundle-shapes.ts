import { z } from 'zod'
import { limits } from '../../limits.ts'
import { PermissionKey } from '../../permissions.ts'

/** The id of a bundle (specification 5.2.5). */
export const BundleId = z
  .string()
  .max(limits.name)
  .regex(/^bundle\.[a-z0-9]+(-[a-z0-9]+)*$/, 'must be `bundle.` and a kebab-case name')
  .describe('`bundle.<name>`')

const bundleMembers = {
  name: z.string().trim().min(1).max(limits.name).describe('Display name'),
  description: z.string().max(limits.description).default('').describe('Free text'),
  permissions: z.array(PermissionKey).max(500).describe('The keys that it grants, everywhere'),
}

/** The input of a new bundle. */
export const BundleInput = z.strictObject({ id: BundleId, ...bundleMembers })

/** A named set of permission keys that roles inherit. */
export const Bundle = z
  .object({
    id: BundleId,
    ...bundleMembers,
    isBuiltIn: z.boolean().describe('Whether the bundle is built in; built-in bundles are read-only'),
  })
  .meta({ id: 'Bundle', description: 'A named set of permission keys (specification 5.2.5)' })

/** A bundle, as returned. */
export type Bundle = z.output<typeof Bundle>

/** A permission key in the catalogue. */
export const PermissionEntry = z
  .object({
    key: z.string().describe('`<area>.<thing>.<verb>`'),
    area: z.string().describe('The first word of the key'),
    description: z.string(),
    scopes: z
      .array(z.enum(['repository', 'type', 'site', 'locale']))
      .describe('Where it can be granted, in addition to globally'),
  })
  .meta({ id: 'PermissionEntry', description: 'A permission key' })
