import { z } from 'zod'
import { limits } from './limits.ts'

/** Unix milliseconds (specification 2.1). */
export const UnixMs = z.int().min(0).max(8_640_000_000_000_000).describe('Unix milliseconds')

/** Any id: a prefix and a ULID, or a user's e-mail address. */
export const Id = z
  .string()
  .min(1)
  .max(limits.id)
  .describe('An id, as answered by the operation that created it')

/** A display name. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(limits.name)
  .describe('A name for people, 1 to 200 characters')

/** A kebab-case name that stands in addresses. */
export const KebabName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be kebab-case: a-z, 0-9 and single dashes between them')
  .describe('A unique kebab-case name')

/** Free text about a thing. */
export const Description = z.string().max(limits.description).describe('Free text, at most 10 000 characters')

/** A repository in a path: its id or its name. */
export const RepositoryRef = z.string().min(1).max(limits.id).describe("A repository's id or name")

/** A package in a path. */
export const PackageName = z
  .string()
  .min(1)
  .max(limits.name)
  .describe('Work on the line of this package instead of the main line')

/** A person, as shown on items (specification 2.3). */
export const UserRef = z
  .object({
    userName: z.string().describe('User name or service account id'),
    displayName: z.string().describe('Name for people'),
    email: z.string().describe('E-mail address; empty for service accounts'),
  })
  .meta({ id: 'UserRef', description: 'Who did something (specification 2.3)' })

const Count = z.int().min(0).describe('All that match and the caller may see')

/** The count of a list that takes `skipCount`. The OpenAPI document says what is true of every answer but those that were asked to leave it out. */
export const SkippableCount = Count.optional().describe(
  'All that match and the caller may see. Only what was asked with `skipCount=true` lacks it',
)

function pageMembers<T extends z.ZodType>(item: T) {
  return {
    items: z.array(item),
    nextCursor: z
      .string()
      .optional()
      .describe('Where the list goes on: send it as `cursor`. Absent on the last page'),
  }
}

/** A list answer (specification 2.1), with the cursor of the next page where there is one. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ count: Count, ...pageMembers(item) })
}

/** The answer of a list that takes `skipCount`. */
export function longListOf<T extends z.ZodType>(item: T) {
  return z.object({ count: SkippableCount, ...pageMembers(item) })
}

/** The answer of a list that takes `skipCount` and may have more entries than are ever counted. */
export function endlessListOf<T extends z.ZodType>(item: T) {
  return longListOf(item).extend({
    countIsExact: z
      .literal(false)
      .optional()
      .describe(
        `There may be more than \`count\`: no more than ${limits.counted} entries are looked at for it`,
      ),
  })
}

/** A value as filters and parameters take it: numbers and booleans may be sent as text. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const scalars = z.array(scalar).max(limits.inList)

/** The operators of one field. Values may be sent as text: the field's kind decides how they compare. */
export const FilterOperators = z.strictObject({
  eq: scalar.optional(),
  ne: scalar.optional(),
  gt: scalar.optional(),
  gte: scalar.optional(),
  lt: scalar.optional(),
  lte: scalar.optional(),
  in: scalars.optional(),
  nin: scalars.optional(),
  contains: scalar.optional(),
  startsWith: scalar.optional(),
  exists: z
    .union([z.boolean(), z.enum(['true', 'false'])])
    .transform(String)
    .optional(),
})

/** Conditions by field, all of which must hold: `{ status: 'published', 'fields.price': { gte: 10 } }`. */
export const FilterInput = z
  .record(z.string().max(limits.id), z.union([scalar, FilterOperators]))
  .describe('Conditions by field, all of which must hold; in a query string `filter[fields.price][gte]=10`')

/** What every list takes. */
export const listInput = {
  limit: z
    .int()
    .min(1)
    .max(limits.pageMost)
    .optional()
    .describe('Entries a page, 1 to 1000 (default 100); fewer where items are long: go on with `nextCursor`'),
  offset: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Entries to skip; prefer `cursor`, beside which it is 400'),
  cursor: z
    .string()
    .max(4096)
    .optional()
    .describe('`nextCursor` of the page before; stable while others write'),
  sort: z.string().max(500).optional().describe('Comma list of fields, `-` descends: `-updatedDate,name`'),
  filter: FilterInput.optional(),
  skipCount: z.boolean().optional().describe('Leave `count` out, which makes a long list cheaper'),
}

/** What every read of items takes. */
export const pickInput = {
  select: z
    .array(z.string().max(limits.id))
    .max(100)
    .optional()
    .describe('Members to answer: `id,name,fields.price`'),
  include: z
    .array(z.string().max(limits.id))
    .max(20)
    .optional()
    .describe('Reference fields to resolve one level, into `included`'),
}

/**
 * The input of an address that the public follows: members of the query that it does not know are ignored, as every static host does,
 * since newsletters, networks and caches add their own (`utm_source`, `fbclid`, `v`). Elsewhere an unknown member is refused.
 */
export function publicAddressInput<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strip> {
  return z.object(shape)
}
