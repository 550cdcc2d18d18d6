import { z } from 'zod'
import { Id, UnixMs, UserRef } from '../../conventions.ts'
import { itemReads } from '../../content/items/reads.ts'
import { ContentType } from '../../content/types/shapes.ts'
import { AssetInfo, RenditionName } from '../../files/assets/shapes.ts'
import { limits } from '../../limits.ts'
import { ChangedEntity, ChangeKind, MergeConflict } from '../packages/shapes.ts'

/** The format of export files: `major.minor`. A reader takes every minor of its major. */
export const exportFormat = { name: 'quire-export', major: 1, minor: 2 } as const

/** `manifest.json`, the last member of an export file. */
export const ExportManifest = z
  .object({
    format: z.literal(exportFormat.name),
    version: z.string().regex(/^\d+\.\d+$/, 'must be like 1.0'),
    repository: z.object({ name: z.string(), displayName: z.string() }),
    extent: z.enum(['repository', 'package', 'folder', 'query']).describe('What the file covers'),
    folderId: z.string().exactOptional().describe('The folder that it covers'),
    complete: z.boolean().describe('Whether the file holds everything in its extent'),
    blobs: z.boolean().describe('Whether the file holds the files of assets'),
    history: z.boolean().default(false).describe('Whether the file holds earlier versions and activity'),
    counts: z.record(z.string(), z.int().min(0)).describe('Number of lines by kind'),
    roles: z.record(z.string(), z.string()).describe('Names of the roles in role lists, by id'),
    locales: z
      .array(z.string())
      .describe('The locales of localized values, the default one first; empty: they have none'),
  })
  .meta({ id: 'ExportManifest', description: 'What an export file contains' })

/** What an export file contains. */
export type ExportManifest = z.output<typeof ExportManifest>

/** The items of an export: those that a list finds. */
export const ExportQuery = itemReads.list.input
  .pick({ type: true, folderId: true, recursive: true, archived: true, text: true, filter: true })
  .describe('Only the items that this list finds, with the folders and categories that they are in')

const Content = z.record(z.string(), z.json())

/** One entity: a line of `content/<kind>-0001.ndjson`. */
export const ExportedEntity = z
  .object({
    kind: ChangedEntity.shape.kind,
    id: Id,
    type: z.string().max(200).describe('Name of the content type of an item; the kind for all others'),
    content: Content.describe('Everything that a save can change'),
    archived: z.boolean(),
    deleted: z.literal(true).exactOptional().describe('Whether the package deletes it'),
    published: z
      .union([z.null(), z.literal('latest'), Content])
      .describe('What is published: nothing, this content, or an older one'),
    publishedDate: UnixMs.nullable(),
    publishedLocales: z
      .array(z.string())
      .exactOptional()
      .describe(
        'The locales in which it is published; absent: all. In others an earlier version can be, see `ExportedVersion`',
      ),
    publishedDates: z
      .record(z.string().max(limits.id), UnixMs)
      .exactOptional()
      .describe('When it was published, in the locales for which that is not `publishedDate`'),
    createdDate: UnixMs,
    createdBy: UserRef,
    updatedDate: UnixMs,
    updatedBy: UserRef,
  })
  .meta({ id: 'ExportedEntity', description: 'An entity in an export file' })

/** An entity in an export file. */
export type ExportedEntity = z.output<typeof ExportedEntity>

/** The file of an asset in a content: `blobs/<hash>` holds its bytes. */
export const ExportedAsset = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash in hexadecimal'),
  size: z.int().min(0),
  mimeType: z.string(),
  extension: z.string(),
  fileName: z.string().min(1).max(limits.fileName),
  width: z.int().nullable(),
  height: z.int().nullable(),
  pages: z.int().nullable(),
  focalPoint: AssetInfo.shape.focalPoint,
  renditions: z
    .array(
      z.object({
        name: RenditionName,
        hash: z.string().regex(/^[0-9a-f]{64}$/),
        size: z.int().min(0),
        mimeType: z.string(),
        extension: z.string(),
        width: z.int().nullable(),
        height: z.int().nullable(),
      }),
    )
    .max(100),
})

/** The file of an asset in a content. */
export type ExportedAsset = z.output<typeof ExportedAsset>

/** One content type: a line of `types/type-0001.ndjson`. */
export const ExportedType = ContentType.omit({
  id: true,
  isLocked: true,
  createdDate: true,
  updatedDate: true,
})

/** A content type in an export file. */
export type ExportedType = z.output<typeof ExportedType>

/** Where an entity comes from: a line of `history/<kind>-0001.ndjson`. */
export const ExportedHistory = z.object({
  kind: ChangedEntity.shape.kind,
  id: Id,
  /** Digests of earlier contents, newest first. */
  digests: z.array(z.string().regex(/^[0-9a-f]{32}$/)).max(1000),
  /** When it was last saved, published or archived. */
  stateDate: UnixMs,
})

/** Where an entity in an export file comes from. */
export type ExportedHistory = z.output<typeof ExportedHistory>

/** Earlier versions of one entity in a file, at most. */
export const mostVersions = 200

/**
 * An earlier version of an entity: a line of `versions/<kind>-0001.ndjson`. Those of one entity are
 * together, oldest first, in the order of the entities in `content/`. An export without history has
 * those that are public in some locale.
 */
export const ExportedVersion = z.object({
  kind: ChangedEntity.shape.kind,
  id: Id,
  content: Content,
  savedDate: UnixMs,
  savedBy: UserRef,
  /** The locales in which this version is public, with the time at which it was published. */
  publications: z.record(z.string().max(limits.id), UnixMs).exactOptional(),
})

/** An earlier version in an export file. */
export type ExportedVersion = z.output<typeof ExportedVersion>

const Refusal = z
  .object({
    at: z.string().describe('Where in the file: `content/item-0001.ndjson:12`, or the name of a member'),
    id: z.string().nullable().describe('The entity; null when the line names none'),
    path: z.string().describe('The member of its content in dot notation; empty for the whole line'),
    message: z.string(),
  })
  .meta({ id: 'ImportRefusal', description: 'Why a line of an export file cannot be imported' })

/** Why a line of an export file cannot be imported. */
export type ImportRefusal = z.output<typeof Refusal>

const Count = z.int().min(0)

/** What an import would do, or has done. */
export const ImportPlan = z
  .object({
    planId: z
      .string()
      .describe('Identifies the file and the state it would change: different as soon as either changes'),
    applied: z.boolean().describe('Whether it was done'),
    package: z.string().nullable().describe('The package that it was put into; null: main'),
    counts: z.object({
      create: Count,
      update: Count,
      delete: Count,
      unchanged: Count,
      convert: Count.describe(
        'Entities that are created or updated with other values than the file has, because this repository has other locales, or none',
      ),
      refuse: Count,
      conflicts: Count,
    }),
    types: z.array(z.string()).describe('Names of the content types that are created'),
    changes: z
      .array(z.object({ entity: ChangedEntity, kind: ChangeKind, at: z.string() }))
      .describe('The first 1 000 changes'),
    refuse: z.array(Refusal).describe('The first 1 000 refusals; while there are any, nothing is done'),
    conflicts: z
      .array(MergeConflict)
      .describe('The first 1 000 conflicts; while there are any, nothing is done on main'),
  })
  .meta({ id: 'ImportPlan', description: 'What an import would do, or has done' })

/** What an import would do, or has done. */
export type ImportPlan = z.output<typeof ImportPlan>
