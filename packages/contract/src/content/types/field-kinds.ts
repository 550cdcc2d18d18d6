import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** The contract's description of a field kind that has no nested fields. */
export interface ScalarKind<S extends z.ZodType = z.ZodType> {
  /** The schema of the settings of a field of this kind. */
  readonly settings: S
  /** The JSON type of a value. */
  readonly json: 'string' | 'number' | 'boolean' | 'object' | 'any'
  /** The TypeScript type of a value; a list if it can have one of several types. */
  readonly typescript: (settings: z.output<S>, write: TypeWriter) => string | readonly string[]
  /**
   * A sentence about the meaning of a value if its TypeScript type does not show it; otherwise
   * empty.
   */
  readonly note: (settings: z.output<S>) => string
}

/** Writes TypeScript types that depend on the settings of a field. */
export interface TypeWriter {
  readonly literal: (text: string) => string
  /**
   * The type of the values that a JSON Schema accepts. Like kinds whose `json` is `any`, it may
   * refer to `Json`.
   */
  readonly schema: (schema: unknown) => string
}

const count = z.int().min(0).max(1_000_000)
const list = (what: string) => z.array(z.string().min(1).max(200)).max(500).describe(what)

const bounds = {
  min: z.number().optional().describe('The smallest value allowed'),
  max: z.number().optional().describe('The largest value allowed'),
}

const dates = {
  min: z.iso.date().optional().describe('The first day allowed, YYYY-MM-DD'),
  max: z.iso.date().optional().describe('The last day allowed, YYYY-MM-DD'),
}

/** Infers the settings type of a kind's functions from its schema. */
function kind<S extends z.ZodType>(described: ScalarKind<S>): ScalarKind<S> {
  return described
}

/** A kind whose values are plain strings in TypeScript. */
function textKind<S extends z.ZodType>(settings: S, note: ScalarKind<S>['note'] = () => ''): ScalarKind<S> {
  return { settings, json: 'string', typescript: () => 'string', note }
}

function numberKind<S extends z.ZodType>(settings: S, note: ScalarKind<S>['note'] = () => ''): ScalarKind<S> {
  return { settings, json: 'number', typescript: () => 'number', note }
}

/**
 * The field kinds that have no nested fields, in the order of the OpenAPI document. The engine's
 * rules for each kind are in `packages/core/src/content/fields/`.
 */
export const scalarKinds = {
  text: kind({
    settings: z.strictObject({
      minLength: count.optional().describe('Minimum number of characters'),
      maxLength: count
        .optional()
        .describe(`Maximum number of characters. Default: ${limits.text}, checked only for new values`),
      pattern: z
        .string()
        .max(500)
        .optional()
        .describe(
          `An RE2 regular expression that the whole value must match. A new value can then have at most ${limits.patternText} characters`,
        ),
      options: list('The only values allowed').optional(),
    }),
    json: 'string',
    typescript: ({ options }, write) => options?.map(write.literal) ?? 'string',
    note: () => '',
  }),
  richText: textKind(
    z.strictObject({
      format: z.enum(['html', 'markdown']).default('html').describe('HTML is sanitized when it is saved'),
      maxLength: z
        .int()
        .min(0)
        .max(limits.richText)
        .optional()
        .describe(
          `Maximum number of characters. Default: ${limits.richTextDefault}, checked only for new values`,
        ),
    }),
    ({ format }) => (format === 'html' ? 'HTML.' : 'Markdown.'),
  ),
  number: numberKind(
    z.strictObject({
      ...bounds,
      step: z.number().positive().optional().describe('Values are multiples of this'),
    }),
  ),
  integer: numberKind(
    z.strictObject({
      ...bounds,
      step: z.int().positive().optional().describe('Values are multiples of this'),
    }),
  ),
  boolean: kind({
    settings: z.strictObject({}),
    json: 'boolean',
    typescript: () => 'boolean',
    note: () => '',
  }),
  date: textKind(z.strictObject(dates), () => 'YYYY-MM-DD.'),
  datetime: numberKind(z.strictObject(bounds), () => 'Unix milliseconds.'),
  reference: textKind(
    z.strictObject({
      types: list('Names of the content types of allowed targets; empty: any').default([]),
      onDelete: z
        .enum(['restrict', 'unset'])
        .default('unset')
        .describe(
          'What happens when the target is deleted: `restrict` prevents the delete, `unset` removes the value',
        ),
    }),
    ({ types }) =>
      types.length === 0 ? 'The id of an item.' : `The id of an item of the type ${types.join(', ')}.`,
  ),
  asset: textKind(
    z.strictObject({
      mimeTypes: list('Allowed media types, such as `image/*` for all images; empty: any').default([]),
      maxBytes: z.int().min(0).optional().describe('Maximum size in bytes'),
    }),
    () => 'The id of an asset.',
  ),
  category: textKind(
    z.strictObject({
      taxonomyId: Id.nullable()
        .default(null)
        .describe('The taxonomy whose categories are allowed; null: any'),
    }),
    () => 'The id of a category.',
  ),
  url: textKind(z.strictObject({})),
  email: textKind(z.strictObject({})),
  slug: textKind(z.strictObject({})),
  color: textKind(z.strictObject({})),
  geo: kind({
    settings: z.strictObject({}),
    json: 'object',
    typescript: () => '{ lat: number; lng: number }',
    note: () => '',
  }),
  json: kind({
    settings: z.strictObject({
      schema: z
        .record(z.string(), z.unknown())
        .nullable()
        .default(null)
        .describe('A JSON Schema that values must satisfy'),
    }),
    json: 'any',
    typescript: ({ schema }, write) => [schema === null ? 'Json' : write.schema(schema)],
    note: () => '',
  }),
} as const
