import { z } from 'zod'
import { Description, Id, KebabName, Name, UnixMs } from '../../conventions.ts'
import { FetchOrigins } from '../../files/assets/shapes.ts'
import { limits } from '../../limits.ts'
import { Quota } from '../../quota.ts'
import { Locales } from '../locales/shapes.ts'
import { PreviewUrl } from './preview-url.ts'

/** How texts of a repository are to be written. */
export const StyleGuide = z
  .string()
  .max(limits.styleGuide)
  .describe(
    'How texts are to be written here: for authors, and for the programs that write for them. Absent: nothing is said',
  )

/** The settings of a repository. */
export const RepositorySettings = z
  .strictObject({
    workflow: z
      .strictObject({
        enabled: z
          .boolean()
          .default(false)
          .describe('Whether packages can be reviewed by an external engine'),
        defaultWorkflowId: Id.nullable()
          .default(null)
          .describe('The workflow definition that `start` uses by default'),
        autoMerge: z
          .boolean()
          .default(false)
          .describe('Whether a package is merged when its workflow completes'),
        publishOnMerge: z.boolean().default(false).describe('Whether a merge publishes the merged items'),
      })
      .prefault({}),
    allowedTypes: z
      .array(z.string().max(limits.name))
      .max(1000)
      .default([])
      .describe('Names of the content types that are allowed in the repository; empty: all'),
    assets: z
      .strictObject({
        adHoc: z
          .boolean()
          .default(true)
          .describe('Whether ad hoc renditions are allowed (`width`, `height`, `fit`, `quality`)'),
        maxWidth: z
          .int()
          .min(1)
          .max(limits.renditionSide)
          .default(4000)
          .describe('Maximum width of an ad hoc rendition, in pixels'),
        maxHeight: z
          .int()
          .min(1)
          .max(limits.renditionSide)
          .default(4000)
          .describe('Maximum height of an ad hoc rendition, in pixels'),
        fetchOrigins: FetchOrigins.default([]),
      })
      .prefault({}),
    ai: z
      .strictObject({
        accessId: Id.nullable().default(null).describe('The access configuration that AI tasks use'),
      })
      .prefault({}),
    graphql: z
      .strictObject({
        public: z.boolean().default(false).describe('Whether GraphQL can be used without a token'),
      })
      .prefault({}),
    quota: Quota.prefault({}),
    locales: Locales.optional().describe('Absent: its content has no locales'),
    styleGuide: StyleGuide.optional(),
    previewUrl: PreviewUrl.optional(),
  })
  .describe('Settings of the repository')

/** A repository: a namespace of content with its own settings. */
export const Repository = z
  .object({
    id: Id,
    name: KebabName,
    displayName: Name,
    description: Description,
    public: z.boolean().describe('Whether published content is served without a token (specification 5.4)'),
    settings: RepositorySettings,
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({ id: 'Repository', description: 'A namespace of content with its own settings' })

/** A repository, as returned. */
export type Repository = z.output<typeof Repository>
