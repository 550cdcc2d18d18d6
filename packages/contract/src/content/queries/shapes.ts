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

/** What a query asks, but for the place in the list. */
const asked = {
  text: z
    .string()
    .max(limits.search)
    .optional()
    .describe('Words that must all occur, each as a prefix; words in double quotes stand next to each other'),
  type: z.string().max(limits.name).optional().describe('Only items of this content type'),
  filter: QueryFilter.optional(),
  sort: listInput.sort.describe(
    'Comma list of fields, `-` descends. Default: with `text` the best first, else `-updatedDate`',
  ),
  limit: listInput.limit,
  ...pickInput,
  facets: z
    .array(z.string().max(limits.id))
    .max(limits.facets)
    .optional()
    .describe('Whose values are counted: `type`, `status`, `folderId`, `categories` and custom fields'),
  facetLimit: z.int().min(1).max(1000).optional().describe('Values of each facet, 1 to 1000 (default 20)'),
  highlight: z
    .boolean()
    .optional()
    .describe(`Also where \`text\` was found; on pages of at most ${limits.highlighted} items`),
  archived: z.boolean().optional().describe('Archived items too'),
  skipCount: listInput.skipCount,
}

/** What a query takes beside the place in the list. */
export const Query = z.strictObject(asked)

/** What a query takes beside the place in the list. */
export type Query = z.output<typeof Query>

/** What a query takes. */
export const queryInput = { ...asked, cursor: listInput.cursor }

/** A value and how many of the items that match have it. */
export const FacetValue = z
  .object({
    value: z.union([z.string(), z.number(), z.boolean()]),
    count: z.int().describe('Items that match, and that the caller may read, with this value'),
    name: z.string().optional().describe('Of a category or a folder, where the caller may see it'),
  })
  .meta({ id: 'FacetValue', description: 'A value and how many items have it' })

/** A value and how many of the items that match have it. */
export type FacetValue = z.output<typeof FacetValue>

/** Where the words of a search stand in one text of an item. */
export const Highlight = z
  .object({
    path: z.string().describe('`name`, `description`, `fields.body`…; `text` is what the file says'),
    fragments: z
      .array(z.string())
      .describe('Parts of it as HTML: escaped, but for `<mark>` around what was found; at most 3'),
  })
  .meta({ id: 'Highlight', description: 'Where the words of a search stand in a text' })

/** Where the words of a search stand in one text of an item. */
export type Highlight = z.output<typeof Highlight>

/** What a query answers: a list of items, and what was asked of it beside. */
export const QueryAnswer = longListOf(ReadItem)
  .extend({
    countIsCapped: z.boolean().optional().describe('There may be more than `count`: it went no further'),
    facets: z
      .record(z.string(), z.array(FacetValue))
      .optional()
      .describe('With `facets`: by field, the most frequent values first'),
    highlights: z
      .record(z.string(), z.array(Highlight))
      .optional()
      .describe('With `highlight`: by the id of the item'),
  })
  .meta({ id: 'QueryAnswer', description: 'The items that match, with facets and highlights' })

/** What a query answers. */
export type QueryAnswer = z.output<typeof QueryAnswer>

const kinds = ['text', 'number', 'boolean', 'list'] as const

/** A value that a saved query takes when it is run. */
export const QueryParameter = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be letters, digits and `_`, and begin with a letter')
    .describe('As placeholders say it'),
  kind: z.enum(kinds).describe('What it is; a list is of texts'),
  required: z.boolean().default(false).describe('Whether a run without it is refused'),
  default: z
    .union([z.string().max(limits.search), z.number(), z.boolean(), z.array(z.string()).max(limits.inList)])
    .nullable()
    .default(null)
    .describe('Its value where none is given; null: what it stands in is left out'),
  description: Description.default(''),
})

/** A value that a saved query takes when it is run. */
export type QueryParameter = z.output<typeof QueryParameter>

/** What of a saved query its makers say. */
export const savedQueryMembers = {
  description: Description,
  query: z
    .record(z.string().max(limits.id), z.json())
    .describe(
      'As POST /api/queries takes it, without `cursor`. Any value may be a placeholder: `{ "$param": "minPrice" }`',
    ),
  parameters: z.array(QueryParameter).max(limits.queryParameters).describe('What its placeholders stand for'),
}

/** A query that is kept under a name. */
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
  .meta({ id: 'SavedQuery', description: 'A query that is kept under a name' })

/** A query that is kept under a name. */
export type SavedQuery = z.output<typeof SavedQuery>

/** The parameters of a run, as texts; a list is a comma list, as in a query string. */
export const ParameterValues = z
  .record(z.string().max(64), z.union([scalar, z.array(scalar).max(limits.inList).transform(joinList)]))
  .describe('By the name of the parameter; in a query string `parameters[minPrice]=10`, a list as `a,b`')
