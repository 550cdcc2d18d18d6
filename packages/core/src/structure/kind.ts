import type { Category, Folder, JournalEvent, PermissionKey, Taxonomy } from '@quire/contract'

/** What the structure of a repository is made of, as it is answered, by kind. */
export interface StructureShapes {
  readonly folder: Folder
  readonly taxonomy: Taxonomy
  readonly category: Category
}

/** A kind of the structure. */
export type StructureName = keyof StructureShapes

/** What the structure's kinds have each for itself; everything else they have alike. */
export interface StructureKind<K extends StructureName = StructureName> {
  readonly kind: K
  readonly prefix: 'CATG' | 'FOLD' | 'TAXO'
  readonly keys: { readonly [Act in 'read' | 'create' | 'update' | 'delete']: PermissionKey }
  readonly events: { readonly [E in 'created' | 'updated' | 'deleted' | 'restored']: JournalEvent }
  /** Whether its things stand in each other. */
  readonly isTree: boolean
  /** Whether items show what it is called. */
  readonly isShownOnItems: boolean
}
