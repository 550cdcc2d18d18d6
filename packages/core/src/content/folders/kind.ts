import { FolderContent } from '@quire/contract'
import type { StructureKind } from '../structure/kind.ts'
import { branchKindOf } from '../structure/branch-kind.ts'

/** Folders. */
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
  above: { kind: 'folder', member: 'parentId' },
  owner: null,
  references: [],
  nullable: [],
  calledBy: 'name',
  isVisibleOnItems: false,
}

/** Folders in packages. */
export const folderKind = branchKindOf(folderRules, FolderContent)
