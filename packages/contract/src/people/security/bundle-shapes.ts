import { z } from 'zod'
import { limits } from '../../limits.ts'
import { permissionKeys } from '../../permissions.ts'

/** The id of a bundle (specification 5.2.5). */
export const BundleId = z
  .string()
  .max(limits.name)
  .regex(/^bundle\.[a-z0-9]+(-[a-z0-9]+)*$/, 'must be `bundle.` and a kebab-case name')
  .describe('`bundle.<name>`')

const bundleMembers = {
  name: z.string().trim().min(1).max(limits.name).describe('A name for people'),
  description: z.string().max(limits.description).default('').describe('Free text'),
  permissions: z
    .array(z.enum(permissionKeys as [string, ...string[]]))
    .max(500)
    .describe('The keys that it gives, everywhere'),
}

/** What a bundle is made of. */
export const BundleInput = z.strictObject({ id: BundleId, ...bundleMembers })

/** A named set of permission keys that roles inherit. */
export const Bundle = z
  .object({ id: BundleId, ...bundleMembers, isBuiltIn: z.boolean().describe('Built-in ones are read-only') })
  .meta({ id: 'Bundle', description: 'A named set of permission keys (specification 5.2.5)' })

/** A bundle as answered. */
export type Bundle = z.output<typeof Bundle>

/** A key of the catalogue. */
export const PermissionEntry = z
  .object({
    key: z.string().describe('`<area>.<thing>.<verb>`'),
    area: z.string().describe('Its first word'),
    description: z.string(),
    scopes: z
      .array(z.enum(['repository', 'type', 'site']))
      .describe('Where it can be granted beside everywhere'),
  })
  .meta({ id: 'PermissionEntry', description: 'A permission key' })
