import { z } from 'zod'
import { Description, Id, UnixMs, UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** The name of a folder, taxonomy or category: of any script, as people read it. */
export const StructureName = z
  .string()
  .overwrite((name) => name.trim().normalize('NFC'))
  .min(1)
  .max(limits.name)
  .regex(/^[^\p{Cc}/]*$/u, 'must hold no slash and no control characters')
  .describe('1 to 200 characters, without slashes; among its siblings no other has it, in any case')

/** Where something stands in a tree: what is above it, the top first. */
export const AncestorPath = z
  .array(z.object({ id: Id, name: z.string() }))
  .describe('What it stands in, the top first; empty at the top')

/** The members that folders, taxonomies and categories have alike. */
export const structureMembers = {
  packageName: z.string().nullable().describe('The package that holds this version; null on the main line'),
  currentVersion: z.int().describe('The newest version on its line'),
  createdDate: UnixMs,
  createdByUser: UserRef,
  updatedDate: UnixMs,
  updatedByUser: UserRef,
}

/** A folder: items and folders stand in it. */
export const Folder = z
  .object({
    id: Id,
    repositoryId: Id,
    name: z.string().describe('Among the folders beside it no other has it, in any case'),
    description: Description,
    parentId: Id.nullable().describe('The folder that it stands in; null at the top'),
    ...structureMembers,
    path: AncestorPath,
  })
  .meta({ id: 'Folder', description: 'A folder: items and folders stand in it' })

/** A folder. */
export type Folder = z.output<typeof Folder>

/** A folder in a tree. */
export const FolderNode = z
  .object({
    id: Id,
    name: z.string(),
    parentId: Id.nullable().describe('The folder that it stands in; null at the top'),
    depth: z.int().describe('1 for the first level of what was asked for'),
  })
  .meta({ id: 'FolderNode', description: 'A folder in a tree' })

/** Something by its id and name. */
export const Named = z.object({ id: Id, name: z.string() })

/** A reference by the item that holds it. */
export const HolderShape = z.object({ id: Id, path: z.string() })

/** What a folder says: all that a save can change. */
export const FolderContent = z.object({
  name: StructureName,
  description: Description,
  parentId: Id.nullable(),
})
