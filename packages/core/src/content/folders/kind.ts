import { FolderContent } from '@quire/contract'
import type { StructureKind } from '../structure/kind.ts'
import { branchKindOf } from '../structure/branch-kind.ts'

/** How folders differ from the other kinds of structure. */
export const folderRules: StructureKind<'folder'> = {
  kind: 'folder',
  prefix: 'FOLD',
  keys: {
    read: 'folders.read',
    create: 'folders.create',
    update: 'folders.update',
    delete: 'folders.delete',
  },
  events: {
    created: 'FOLDER_CREATED',
    updated: 'FOLDER_UPDATED',
    deleted: 'FOLDER_DELETED',
    restored: 'FOLDER_UNDELETED',
  },
  scope: 'repository',
  parent: { kind: 'folder', member: 'parentId' },
  owner: null,
  references: [],
  nullable: [],
  namedBy: 'name',
  isVisibleOnItems: false,
}

/** How packages handle folders. */
export const folderKind = branchKindOf(folderRules, FolderContent)
