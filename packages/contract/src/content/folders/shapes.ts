import { z } from 'zod'
import { Description, Id, UnixMs, UserRef } from '../../conventions.ts'
import { limits } from '../../limits.ts'

/** The name of a folder, taxonomy or category, in any script. */
export const StructureName = z
  .string()
  .overwrite((name) => name.trim().normalize('NFC'))
  .min(1)
  .max(limits.name)
  .regex(/^[^\p{Cc}/]*$/u, 'must not contain slashes or control characters')
  .describe('1 to 200 characters, without slashes; unique among its siblings, ignoring case')

/** The ancestors of a node in a tree, the topmost first. */
export const AncestorPath = z
  .array(z.object({ id: Id, name: z.string() }))
  .describe('Its ancestors, the topmost first; empty at the top level')

/** The members that folders, taxonomies, categories and parts of sites share. */
export const structureMembers = {
  packageName: z.string().nullable().describe('The package that this version belongs to; null on main'),
  currentVersion: z.int().describe('The newest version on its branch'),
  createdDate: UnixMs,
  createdByUser: UserRef,
  updatedDate: UnixMs,
  updatedByUser: UserRef,
}

/** A folder, which contains items and other folders. */
export const Folder = z
  .object({
    id: Id,
    repositoryId: Id,
    name: z.string().describe('Unique among its sibling folders, ignoring case'),
    description: Description,
    parentId: Id.nullable().describe('The parent folder; null at the top level'),
    ...structureMembers,
    path: AncestorPath,
  })
  .meta({ id: 'Folder', description: 'A folder, which contains items and other folders' })

/** A folder. */
export type Folder = z.output<typeof Folder>

/** A folder in a tree. */
export const FolderNode = z
  .object({
    id: Id,
    name: z.string(),
    parentId: Id.nullable().describe('The parent folder; null at the top level'),
    depth: z.int().describe('1 for the first level of the response'),
  })
  .meta({ id: 'FolderNode', description: 'A folder in a tree' })

/** The id and name of an entity. */
export const Named = z.object({ id: Id, name: z.string() })

/** A reference: the item that has it, and the path of its field. */
export const HolderShape = z.object({ id: Id, path: z.string() })

/** The content of a folder: everything that a save can change. */
export const FolderContent = z.object({
  name: StructureName,
  description: Description,
  parentId: Id.nullable(),
})
