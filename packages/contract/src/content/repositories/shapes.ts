import { z } from 'zod'
import { Description, Id, KebabName, Name, UnixMs } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { Quota } from '../../quota.ts'

/** What a repository decides for its content. */
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
          .describe('The workflow definition that `start` uses when none is named'),
        autoMerge: z.boolean().default(false).describe('Merge a package when its workflow completes'),
        publishOnMerge: z.boolean().default(false).describe('Publish what a merge brings'),
      })
      .prefault({}),
    allowedTypes: z
      .array(z.string().max(limits.name))
      .max(1000)
      .default([])
      .describe('Names of the content types that items may have; empty: all'),
    assets: z
      .strictObject({
        adHoc: z
          .boolean()
          .default(true)
          .describe('Whether renditions are made to measure (`width`, `height`, `fit`, `quality`)'),
        maxWidth: z
          .int()
          .min(1)
          .max(limits.renditionSide)
          .default(4000)
          .describe('Pixels at most of such a rendition'),
        maxHeight: z
          .int()
          .min(1)
          .max(limits.renditionSide)
          .default(4000)
          .describe('Pixels at most of such a rendition'),
      })
      .prefault({}),
    ai: z
      .strictObject({
        accessId: Id.nullable().default(null).describe('The access configuration that AI tasks use'),
      })
      .prefault({}),
    graphql: z
      .strictObject({
        public: z.boolean().default(false).describe('Whether GraphQL answers without a token'),
      })
      .prefault({}),
    quota: Quota.prefault({}),
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

/** A repository as answered. */
export type Repository = z.output<typeof Repository>
