import { z } from 'zod'
import { AssetInfo, ItemRendition } from '../../files/assets/shapes.ts'
import { Description, Id, Name, UnixMs, UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** The custom values of an item, by field name; what each may be is for its content type to say. */
export const FieldValues = z.record(z.string(), z.json()).describe('Custom values by field name')

const RoleIds = z.array(Id).max(100)

/** The status of what is shown: archived; published (it is the published version); draft. */
export const ItemStatus = z
  .enum(['draft', 'published', 'archived'])
  .describe('archived; published: what is shown is the published version; draft: it is not')

/** One entry of `versionHistory`. */
export const VersionEntry = z.object({
  version: z.int().describe('The version number on its line'),
  updatedDate: UnixMs.describe('When it was saved, Unix milliseconds'),
  updatedByUser: UserRef,
})

/** A content item (specification 2.4). */
export const Item = z
  .object({
    id: Id,
    repositoryId: Id,
    name: Name,
    type: z.string().describe('Name of the content type'),
    slug: z.string().describe('Unique in the repository and line'),
    slugSearch: z.string().describe('The slug as words, for searching'),
    description: Description,
    status: ItemStatus,
    folderId: Id.nullable().describe('The parent folder; null at the top'),
    packageName: z.string().nullable().describe('The package that holds this version; null on the main line'),
    fields: FieldValues,
    taxonomies: z
      .array(
        z.object({
          id: Id,
          name: z.string(),
          categories: z.array(z.object({ id: Id, name: z.string() })),
        }),
      )
      .describe('The categories of the item, by taxonomy'),
    currentVersion: z.int().describe('The version you are looking at'),
    latestVersion: z.int().describe('The newest version on this line'),
    isArchived: z.boolean().describe('Hidden from lists and from published reads'),
    isPublished: z.boolean().describe('Some version is published'),
    isPreview: z.boolean().describe('What is shown is not the published version'),
    isLatest: z.boolean().describe('What is shown is the newest version'),
    isLatestPublished: z.boolean().describe('What is shown is the published version'),
    createdDate: UnixMs,
    updatedDate: UnixMs,
    publishedDate: UnixMs.nullable().describe('When the published version was published'),
    readPerm: RoleIds.describe('Roles that may read it; empty: no extra limit'),
    writePerm: RoleIds.describe('Roles that may change it; empty: no extra limit'),
    deletePerm: RoleIds.describe('Roles that may delete it; empty: no extra limit'),
    createdByUser: UserRef,
    updatedByUser: UserRef,
    fileExtension: z.string().nullable().describe('Of an asset, without the dot'),
    originalFileName: z.string().nullable().describe('Of an asset, as uploaded'),
    storage: z
      .object({
        objectName: z.string(),
        storageVersionId: z.string().nullable(),
        objectStorageName: z.string(),
      })
      .nullable()
      .describe('Where the binary of an asset is kept'),
    asset: AssetInfo.nullable().describe('The binary of an asset; null for every other item'),
    renditions: z.array(ItemRendition).describe('The binaries that can be fetched of an asset'),
    cardPreview: z.string().nullable().describe('HTML card, rendered from the cardTemplate of the type'),
    versionHistory: z
      .array(VersionEntry)
      .describe(`The newest ${limits.versionHistory} versions, newest first`),
  })
  .meta({ id: 'Item', description: 'A content item (specification 2.4)' })

/** An item as answered whole. */
export type Item = z.output<typeof Item>

/** An item as read: with `select` only the chosen members, with `include` the items it refers to. */
export const ReadItem = Item.partial()
  .extend({
    id: Id,
    included: z
      .record(z.string(), z.array(Item))
      .optional()
      .describe('With `include`: the readable items that each named field refers to, in its order'),
    text: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Of one item, where `select` names it: the text of its file, up to 1 MiB; null for none. Of lists never',
      ),
  })
  .meta({ id: 'ReadItem', description: 'An item, or the members of it that `select` names' })

/** What may be sent of an item. */
export const itemMembers = {
  name: Name,
  slug: z
    .string()
    .min(1)
    .max(limits.slug)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a-z, 0-9 and single dashes between them'),
  description: Description,
  folderId: Id.nullable().describe('The parent folder; null at the top'),
  categories: z.array(Id).max(200).describe('Category ids'),
  readPerm: RoleIds.describe('Role ids; empty: no extra limit'),
  writePerm: RoleIds.describe('Role ids; empty: no extra limit'),
  deletePerm: RoleIds.describe('Role ids; empty: no extra limit'),
}

/** What an item says: all that a save can change. */
export const ItemContent = z.object({ ...itemMembers, fields: FieldValues })

/** A version in a list of versions. */
export const VersionInfo = z
  .object({
    version: z.int().describe('The version number on its line'),
    name: z.string(),
    slug: z.string(),
    updatedDate: UnixMs.describe('When it was saved, Unix milliseconds'),
    updatedByUser: UserRef,
    isLatest: z.boolean(),
    isLatestPublished: z.boolean(),
  })
  .meta({ id: 'VersionInfo', description: 'A version of an item' })

const Holdings = z.array(
  z.object({
    id: Id,
    name: z.string(),
    type: z.string().describe('Name of the content type'),
    path: z.string().describe('The field that refers, by its path below `fields`'),
  }),
)

/** What a delete does to the items that refer to what it deletes. */
export const DeleteImpact = z
  .object({
    restrict: Holdings.describe('References that refuse it'),
    unset: Holdings.describe('References that go with it'),
    ignore: Holdings.describe('References that stay and lead nowhere'),
  })
  .meta({
    id: 'DeleteImpact',
    description:
      'What a delete does to items that refer to what it deletes; those that you may read are named',
  })

/** What a delete does. */
export type DeleteImpact = z.output<typeof DeleteImpact>

/** One difference between two versions. */
export const FieldChange = z
  .object({
    path: z.string().describe('The member that differs, in dot notation: `name`, `fields.seo.title`'),
    kind: z.enum(['added', 'removed', 'changed']),
    before: z.json().optional().describe('Absent when added'),
    after: z.json().optional().describe('Absent when removed'),
  })
  .meta({ id: 'FieldChange', description: 'One difference between two versions' })

/** Something that stops a publish. */
export const IssueShape = z
  .object({
    path: z.string().describe('The member in dot notation, empty for the whole'),
    message: z.string().describe('What is wrong with it'),
  })
  .meta({ id: 'Issue', description: 'One member and what is wrong with it' })
