import { z } from 'zod'
import { joinList } from '../../codec/comma-list.ts'
import {
  Description,
  Id,
  KebabName,
  listInput,
  longListOf,
  pickInput,
  scalar,
  UnixMs,
  UserRef,
} from '../../conventions.ts'
import { ReadItem } from '../items/shapes.ts'
import { limits } from '../../limits.ts'
import { QueryFilter } from './filter.ts'

/** The members of a query, without the cursor. */
const queryMembers = {
  text: z
    .string()
    .max(limits.search)
    .optional()
    .describe('Words that must all occur; each matches as a prefix. Words in double quotes must be adjacent'),
  type: z.string().max(limits.name).optional().describe('Only items of this content type'),
  filter: QueryFilter.optional(),
  sort: listInput.sort.describe(
    'Comma-separated fields, `-` for descending order. Default: with `text` the best matches first, otherwise `-updatedDate`',
  ),
  limit: listInput.limit,
  ...pickInput,
  facets: z
    .array(z.string().max(limits.id))
    .max(limits.facets)
    .optional()
    .describe('Fields whose values to count: `type`, `status`, `folderId`, `categories` and custom fields'),
  facetLimit: z.int().min(1).max(1000).optional().describe('Values per facet, 1 to 1000 (default 20)'),
  highlight: z
    .boolean()
    .optional()
    .describe(`Also return where \`text\` was found; only for pages of at most ${limits.highlighted} items`),
  archived: z.boolean().optional().describe('Also archived items'),
  skipCount: listInput.skipCount,
}

/** A query, without the cursor. */
export const Query = z.strictObject(queryMembers)

/** A query, without the cursor. */
export type Query = z.output<typeof Query>

/** The input of a query. */
export const queryInput = { ...queryMembers, cursor: listInput.cursor }

/** A value, and how many matching items have it. */
export const FacetValue = z
  .object({
    value: z.union([z.string(), z.number(), z.boolean()]),
    count: z.int().describe('Number of matching items that you may read and that have this value'),
    name: z.string().optional().describe('The name of a category or folder, if you may see it'),
  })
  .meta({ id: 'FacetValue', description: 'A value, and how many matching items have it' })

/** A value, and how many matching items have it. */
export type FacetValue = z.output<typeof FacetValue>

/** Where the words of a search occur in one text of an item. */
export const Highlight = z
  .object({
    path: z.string().describe('`name`, `description`, `fields.body`…; `text` is the text of the file'),
    fragments: z
      .array(z.string())
      .describe('At most 3 excerpts as HTML: escaped, with `<mark>` around the words that were found'),
  })
  .meta({ id: 'Highlight', description: 'Where the words of a search occur in a text' })

/** Where the words of a search occur in one text of an item. */
export type Highlight = z.output<typeof Highlight>

/** The response of a query: a list of items, with the facets and highlights that were requested. */
export const QueryAnswer = longListOf(ReadItem)
  .extend({
    countIsCapped: z
      .boolean()
      .optional()
      .describe('Whether there may be more items than `count`, because counting stopped there'),
    facets: z
      .record(z.string(), z.array(FacetValue))
      .optional()
      .describe('With `facets`: values by field, the most frequent first'),
    highlights: z
      .record(z.string(), z.array(Highlight))
      .optional()
      .describe('With `highlight`: highlights by item id'),
  })
  .meta({ id: 'QueryAnswer', description: 'The items that match, with facets and highlights' })

/** The response of a query. */
export type QueryAnswer = z.output<typeof QueryAnswer>

const kinds = ['text', 'number', 'boolean', 'list'] as const

/** A parameter of a saved query, which gets its value when the query is run. */
export const QueryParameter = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must consist of letters, digits and `_`, and begin with a letter')
    .describe('The name that placeholders use'),
  kind: z.enum(kinds).describe('The kind of value; a list contains texts'),
  required: z.boolean().default(false).describe('Whether a run without it is rejected'),
  default: z
    .union([z.string().max(limits.search), z.number(), z.boolean(), z.array(z.string()).max(limits.inList)])
    .nullable()
    .default(null)
    .describe('The value if a run gives none; null: the condition or member that uses it is left out'),
  description: Description.default(''),
})

/** A parameter of a saved query, which gets its value when the query is run. */
export type QueryParameter = z.output<typeof QueryParameter>

/** The members of a saved query that a caller can set. */
export const savedQueryMembers = {
  description: Description,
  query: z
    .record(z.string().max(limits.id), z.json())
    .describe(
      'The body of POST /api/queries/{configId}, without `cursor`. Any value can be a placeholder: `{ "$param": "minPrice" }`',
    ),
  parameters: z
    .array(QueryParameter)
    .max(limits.queryParameters)
    .describe('The parameters that its placeholders refer to'),
}

/** A query that is saved under a name. */
export const SavedQuery = z
  .object({
    id: Id,
    repositoryId: Id,
    name: KebabName,
    ...savedQueryMembers,
    createdDate: UnixMs,
    updatedDate: UnixMs,
    createdByUser: UserRef,
    updatedByUser: UserRef,
  })
  .meta({ id: 'SavedQuery', description: 'A query that is saved under a name' })

/** A query that is saved under a name. */
export type SavedQuery = z.output<typeof SavedQuery>

/** The parameters of a run, as text. A list is comma-separated text, as in a query string. */
export const ParameterValues = z
  .record(z.string().max(64), z.union([scalar, z.array(scalar).max(limits.inList).transform(joinList)]))
  .describe('By the name of the parameter; in a query string `parameters[minPrice]=10`, a list as `a,b`')
