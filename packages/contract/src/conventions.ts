import { z } from 'zod'
import { localeInput } from './content/locales/inputs.ts'
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

/** A kebab-case name, used in URLs. */
export const KebabName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be kebab-case: a-z and 0-9, with single dashes in between')
  .describe('A unique kebab-case name')

/** Free text, for people. */
export const Description = z.string().max(limits.description).describe('Free text, at most 10 000 characters')

/** A repository in a path: its id or its name. */
export const RepositoryRef = z.string().min(1).max(limits.id).describe("A repository's id or name")

/** The name of a package, in a path or in the input. */
export const PackageName = z
  .string()
  .min(1)
  .max(limits.name)
  .describe('Work on the branch of this package instead of on main')

/** A user or service account, as items show it (specification 2.3). */
export const UserRef = z
  .object({
    userName: z.string().describe('User name or service account id'),
    displayName: z.string().describe('Display name'),
    email: z.string().describe('E-mail address; empty for service accounts'),
  })
  .meta({ id: 'UserRef', description: 'Who did something (specification 2.3)' })

/** The program that an entry's call named. */
export const ProgramName = z
  .string()
  .optional()
  .describe('The program that made the call, as it named itself in `Quire-Program`; absent: it named none')

const Count = z.int().min(0).describe('Number of all entries that match and that the caller may see')

/**
 * The count of a list that takes `skipCount`. The OpenAPI document still lists it as required,
 * because only a request with `skipCount` gets a response without it.
 */
export const SkippableCount = Count.optional().describe(
  'Number of all entries that match and that the caller may see. Absent only if the request had `skipCount=true`',
)

function pageMembers<T extends z.ZodType>(item: T) {
  return {
    items: z.array(item),
    nextCursor: z
      .string()
      .optional()
      .describe('Cursor of the next page: send it as `cursor`. Absent on the last page'),
  }
}

/** The response of a list (specification 2.1), with the cursor of the next page if there is one. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ count: Count, ...pageMembers(item) })
}

/** The response of a list that takes `skipCount`. */
export function longListOf<T extends z.ZodType>(item: T) {
  return z.object({ count: SkippableCount, ...pageMembers(item) })
}

/** The response of a list that takes `skipCount` and counts at most `limits.counted` entries. */
export function endlessListOf<T extends z.ZodType>(item: T) {
  return longListOf(item).extend({
    countIsExact: z
      .literal(false)
      .optional()
      .describe(`There may be more entries than \`count\`: at most ${limits.counted} are counted`),
  })
}

/**
 * One value of a filter or a parameter, parsed to text. Numbers and booleans may also be sent as
 * text.
 */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const scalars = z.array(scalar).max(limits.inList)

/**
 * The filter operators of one field. Values may be sent as text: the field's kind decides how they
 * are compared.
 */
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

/**
 * Conditions by field, all of which must hold: `{ status: 'published', 'fields.price': { gte: 10 }
 * }`.
 */
export const FilterInput = z
  .record(z.string().max(limits.id), z.union([scalar, FilterOperators]))
  .describe(
    'Conditions by field, all of which must hold; in a query string as JSON, or `filter[fields.price][gte]=10`',
  )

/** The input members that lists share. */
export const listInput = {
  limit: z
    .int()
    .min(1)
    .max(limits.pageMost)
    .optional()
    .describe(
      'Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with `nextCursor`',
    ),
  offset: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Entries to skip. Prefer `cursor`; sending both is 400'),
  cursor: z
    .string()
    .max(4096)
    .optional()
    .describe('`nextCursor` of the previous page. Stable while other callers write'),
  sort: z
    .string()
    .max(500)
    .optional()
    .describe('Comma-separated fields, `-` for descending order: `-updatedDate,name`'),
  filter: FilterInput.optional(),
  skipCount: z.boolean().optional().describe('Leave out `count`, which makes a long list cheaper'),
}

/** The input members that reads of items share. */
export const pickInput = {
  select: z
    .array(z.string().max(limits.id))
    .max(100)
    .optional()
    .describe('Members to return: `id,name,fields.price`'),
  include: z
    .array(z.string().max(limits.id))
    .max(20)
    .optional()
    .describe('Reference fields whose items to return in `included`, one level deep'),
  ...localeInput,
}

/**
 * The input of a public URL. Unknown query parameters are ignored, as static hosts do, because
 * newsletters, social networks and caches add their own (`utm_source`, `fbclid`, `v`). Every other
 * operation rejects unknown members.
 */
export function publicAddressInput<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strip> {
  return z.object(shape)
}
