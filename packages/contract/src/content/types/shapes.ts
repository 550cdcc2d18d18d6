import { z } from 'zod'
import { Description, Id, Name } from '../../conventions.ts'
import { FieldList } from './fields.ts'

const Template = z.string().max(65_536).nullable().default(null)

/** The settings of a content type. */
export const TypeSettings = z
  .strictObject({
    isAsset: z.boolean().default(false).describe('Whether items have a file'),
    mimeTypes: z
      .array(z.string().min(1).max(200))
      .max(500)
      .default([])
      .describe(
        'For an asset type: the media types of files that it accepts, such as `image/*` for all images; empty: any',
      ),
    maxBytes: z
      .int()
      .min(0)
      .nullable()
      .default(null)
      .describe('For an asset type: maximum size in bytes; null: the limit of the service'),
    slugFrom: z
      .string()
      .max(64)
      .nullable()
      .default(null)
      .describe('The text field that slugs are made from; null: the name'),
    localizedSlug: z
      .string()
      .max(64)
      .nullable()
      .optional()
      .describe(
        'A localized and unique field of kind `slug`: in repositories with locales, reads by slug find items by its value in the locale of the read; absent or null: by the slug that all locales share',
      ),
    titleField: z
      .string()
      .max(64)
      .nullable()
      .default(null)
      .describe('The text field that is shown as the title; null: the name'),
    cardTemplate: Template.describe(
      'Liquid template of the HTML card, rendered when an item is saved; values are escaped',
    ),
    pageTemplate: Template.describe('Liquid template of the page'),
    versionLimit: z
      .int()
      .min(1)
      .max(100_000)
      .nullable()
      .default(null)
      .describe(
        'Number of versions to keep; null: all, or the newest 100 once the versions of an item take more than 64 MiB. Published versions and base versions of packages are always kept',
      ),
    publishable: z.boolean().default(true).describe('Whether items can be published'),
  })
  .describe('Settings of the content type')

/** The name of a content type, as items and permissions use it. */
export const TypeName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be kebab-case and begin with a letter')
  .describe('The unique name of the content type')

/** The GraphQL-safe name. */
export const ApiName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z][A-Za-z0-9]*$/, 'must begin with a letter, followed by letters and digits')
  .describe('The unique GraphQL-safe name')

/** The GraphQL name of a content type that names none: its name in PascalCase. */
export function defaultApiName(name: string): string {
  return name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** The names that fields had before, by their path. */
export const FieldRenames = z
  .record(z.string().min(1).max(400), z.string().min(1).max(64))
  .describe(
    'The names that fields had before, by their path: `{ headline: "title", "seo.title": "heading" }`. Their values move. ' +
      'Ignored for fields that do not exist any more under that name. A change of items, which needs `migrate: true`',
  )

/** A content type (specification 2.5). */
export const ContentType = z
  .object({
    id: Id,
    name: TypeName,
    displayName: Name,
    apiName: ApiName,
    description: Description,
    isLocked: z.boolean().describe('Whether every change except unlock is rejected'),
    settings: TypeSettings,
    fields: FieldList.describe('The fields of its items, in order'),
    createdDate: z.number().describe('Unix milliseconds'),
    updatedDate: z.number().describe('Unix milliseconds'),
  })
  .meta({ id: 'ContentType', description: 'A content type (specification 2.5)' })

/** A content type, as returned. */
export type ContentType = z.output<typeof ContentType>
