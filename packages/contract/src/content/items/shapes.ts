import { z } from 'zod'
import { AssetInfo, ItemRendition } from '../../files/assets/shapes.ts'
import { Description, Id, Name, UnixMs, UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { localeMembers } from '../locales/shapes.ts'

/** The custom values of an item, by field name. The content type defines which values are valid. */
export const FieldValues = z.record(z.string(), z.json()).describe('Custom values by field name')

const RoleIds = z.array(Id).max(100)

/** The status of the version that is returned. */
export const ItemStatus = z
  .enum(['draft', 'published', 'archived'])
  .describe('archived: the item is archived; published: this is the published version; draft: it is not')

/** One entry of `versionHistory`. */
export const VersionEntry = z.object({
  version: z.int().describe('The version number on its branch'),
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
    slug: z.string().describe('Unique in the repository and branch'),
    slugSearch: z.string().describe('The slug as words, for search'),
    description: Description,
    status: ItemStatus,
    folderId: Id.nullable().describe('The parent folder; null at the top level'),
    packageName: z.string().nullable().describe('The package that this version belongs to; null on main'),
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
    currentVersion: z.int().describe('The version that was returned'),
    latestVersion: z.int().describe('The newest version on this branch'),
    isArchived: z.boolean().describe('Whether the item is hidden from lists and from published reads'),
    isPublished: z.boolean().describe('Whether the item has a published version'),
    isPreview: z.boolean().describe('Whether this is not the published version'),
    isLatest: z.boolean().describe('Whether this is the newest version'),
    isLatestPublished: z.boolean().describe('Whether this is the published version'),
    createdDate: UnixMs,
    updatedDate: UnixMs,
    publishedDate: UnixMs.nullable().describe('When the published version was published'),
    readPerm: RoleIds.describe('Ids of the roles that may read it; empty: no extra restriction'),
    writePerm: RoleIds.describe('Ids of the roles that may change it; empty: no extra restriction'),
    deletePerm: RoleIds.describe('Ids of the roles that may delete it; empty: no extra restriction'),
    createdByUser: UserRef,
    updatedByUser: UserRef,
    fileExtension: z.string().nullable().describe('For an asset: its extension without the dot'),
    originalFileName: z.string().nullable().describe('For an asset: the name of the uploaded file'),
    storage: z
      .object({
        objectName: z.string(),
        storageVersionId: z.string().nullable(),
        objectStorageName: z.string(),
      })
      .nullable()
      .describe('Where the file of an asset is stored'),
    asset: AssetInfo.nullable().describe('The file of an asset; null for every other item'),
    renditions: z.array(ItemRendition).describe('The files that can be fetched for an asset'),
    cardPreview: z
      .string()
      .nullable()
      .describe('HTML card, rendered from the `cardTemplate` of the content type'),
    versionHistory: z
      .array(VersionEntry)
      .describe(`The newest ${limits.versionHistory} versions, newest first`),
    ...localeMembers,
  })
  .meta({ id: 'Item', description: 'A content item (specification 2.4)' })

/** A complete item, as returned. */
export type Item = z.output<typeof Item>

/**
 * An item as a read returns it: with `select` only the chosen members, with `include` also the
 * items it refers to. The OpenAPI document lists all members of an item as required, because only a
 * request with `select` gets a response without them.
 */
export const ReadItem = Item.partial()
  .extend({
    id: Id,
    included: z
      .record(z.string(), z.array(Item))
      .optional()
      .describe(
        'With `include`: the items that each of these fields refers to, in the order of the field; only items you may read',
      ),
    text: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The text of the file, up to 1 MiB; null if there is none. Only for a single item whose `select` names it, never in lists',
      ),
  })
  .meta({
    id: 'ReadItem',
    description: 'An item. If the request has `select`, it has only the members that `select` names',
  })

/** The members of an item that a caller can send. */
export const itemMembers = {
  name: Name,
  slug: z
    .string()
    .min(1)
    .max(limits.slug)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a-z and 0-9, with single dashes in between'),
  description: Description,
  folderId: Id.nullable().describe('The parent folder; null at the top level'),
  categories: z.array(Id).max(200).describe('Category ids'),
  readPerm: RoleIds.describe('Role ids; empty: no extra restriction'),
  writePerm: RoleIds.describe('Role ids; empty: no extra restriction'),
  deletePerm: RoleIds.describe('Role ids; empty: no extra restriction'),
}

/** The content of an item: everything that a save can change. */
export const ItemContent = z.object({
  ...itemMembers,
  fields: FieldValues,
  // Against which sources translations were made; only in files of an export.
  translations: z.array(z.string()).optional(),
})

/** A version in a list of versions. */
export const VersionInfo = z
  .object({
    version: z.int().describe('The version number on its branch'),
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
    path: z.string().describe('Path of the field that refers to it, below `fields`'),
  }),
)

/** The effect of a delete on the items that refer to what is deleted. */
export const DeleteImpact = z
  .object({
    restrict: Holdings.describe('References that prevent the delete'),
    unset: Holdings.describe('References that are removed'),
    ignore: Holdings.describe('References that stay, with a missing target'),
  })
  .meta({
    id: 'DeleteImpact',
    description:
      'The effect of a delete on items that refer to what is deleted. Lists only items that you may read',
  })

/** The effect of a delete on the items that refer to what is deleted. */
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

/** A problem that prevents publishing. */
export const IssueShape = z
  .object({
    path: z.string().describe('The member in dot notation; empty for the whole'),
    message: z.string().describe('What is wrong with it'),
  })
  .meta({ id: 'Issue', description: 'A member and what is wrong with it' })
