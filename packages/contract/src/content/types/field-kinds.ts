import { z } from 'zod'
import { Id } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** What the contract knows of a kind of field without fields of its own. */
export interface ScalarKind<S extends z.ZodType = z.ZodType> {
  /** The settings that a field of the kind has. */
  readonly settings: S
  /** What one value is in JSON. */
  readonly json: 'string' | 'number' | 'boolean' | 'object' | 'any'
  /** One value as a TypeScript type; a list where it may have one of several. */
  readonly typescript: (settings: z.output<S>, write: TypeWriter) => string | readonly string[]
  /** What a value stands for, where its TypeScript type leaves that open: a sentence, or nothing. */
  readonly note: (settings: z.output<S>) => string
}

/** Writes types that depend on settings. */
export interface TypeWriter {
  readonly literal: (text: string) => string
  /** The type of what a JSON Schema takes. It may name `Json`, as kinds whose `json` is `any` do. */
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

/** Lets a kind's functions take the settings that its schema gives. */
function kind<S extends z.ZodType>(described: ScalarKind<S>): ScalarKind<S> {
  return described
}

/** A kind whose values are texts, which TypeScript knows no more of. */
function textKind<S extends z.ZodType>(settings: S, note: ScalarKind<S>['note'] = () => ''): ScalarKind<S> {
  return { settings, json: 'string', typescript: () => 'string', note }
}

function numberKind<S extends z.ZodType>(settings: S, note: ScalarKind<S>['note'] = () => ''): ScalarKind<S> {
  return { settings, json: 'number', typescript: () => 'number', note }
}

/**
 * The kinds of field without fields of their own, in the order of the OpenAPI document. What the engine does with a
 * kind is in `packages/core/src/content/fields/`.
 */
export const scalarKinds = {
  text: kind({
    settings: z.strictObject({
      minLength: count.optional().describe('Characters at least'),
      maxLength: count
        .optional()
        .describe(`Characters at most; without it ${limits.text}, of what is not kept yet`),
      pattern: z
        .string()
        .max(500)
        .optional()
        .describe(
          `An RE2 regular expression that the whole value must match. A new value has ${limits.patternText} characters at most`,
        ),
      options: list('The only values allowed').optional(),
    }),
    json: 'string',
    typescript: ({ options }, write) => options?.map(write.literal) ?? 'string',
    note: () => '',
  }),
  richText: textKind(
    z.strictObject({
      format: z.enum(['html', 'markdown']).default('html').describe('html is sanitised when it is saved'),
      maxLength: z
        .int()
        .min(0)
        .max(limits.richText)
        .optional()
        .describe(`Characters at most; without it ${limits.richTextDefault}, of what is not kept yet`),
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
      types: list('Names of the content types that may be referred to; empty: any').default([]),
      onDelete: z
        .enum(['restrict', 'unset'])
        .default('unset')
        .describe('What deleting the target does: refuse, or remove the value'),
    }),
    ({ types }) =>
      types.length === 0 ? 'The id of an item.' : `The id of an item of the type ${types.join(', ')}.`,
  ),
  asset: textKind(
    z.strictObject({
      mimeTypes: list('MIME types allowed, `image/*` for a family; empty: any').default([]),
      maxBytes: z.int().min(0).optional().describe('Bytes at most'),
    }),
    () => 'The id of an asset.',
  ),
  category: textKind(
    z.strictObject({
      taxonomyId: Id.nullable()
        .default(null)
        .describe('The taxonomy that categories are taken from; null: any'),
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
