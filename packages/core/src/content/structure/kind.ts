import type {
  Category,
  Folder,
  JournalEvent,
  Page,
  PermissionKey,
  Section,
  Site,
  Taxonomy,
} from '@quire/contract'
import type { EntityKind } from '../../ports/index.ts'

/** What the structure of a repository is made of, as it is answered, by kind. */
export interface StructureShapes {
  readonly folder: Folder
  readonly taxonomy: Taxonomy
  readonly category: Category
  readonly site: Site
  readonly section: Section
  readonly page: Page
}

/** A kind of the structure. */
export type StructureName = keyof StructureShapes

/** A member that names something else. */
export interface Naming<K extends EntityKind = EntityKind> {
  readonly member: string
  readonly kind: K
}

/** What the structure's kinds have each for itself; everything else they have alike. */
export interface StructureKind<K extends StructureName = StructureName> {
  readonly kind: K
  readonly prefix: 'CATG' | 'FOLD' | 'PAGE' | 'SECT' | 'SITE' | 'TAXO'
  readonly keys: { readonly [Act in 'read' | 'create' | 'update' | 'delete']: PermissionKey }
  readonly events: { readonly [E in 'created' | 'updated' | 'deleted' | 'restored']: JournalEvent }
  /** Where the keys are held: for the repository, or for one site of it. */
  readonly scope: 'repository' | 'site'
  /** What its things stand in, of their own kind or another; null: in nothing. */
  readonly above: Naming<StructureName> | null
  /** What its things belong to for good: a category's taxonomy, a page's site; null: to the repository. */
  readonly owner: Naming<StructureName> | null
  /** What else its things may name. */
  readonly references: readonly Naming[]
  /** Other members that may be null. */
  readonly nullable: readonly string[]
  /** What no other beside it has, in any case. */
  readonly calledBy: 'name' | 'slug'
  /** Whether items show what it is called. */
  readonly isVisibleOnItems: boolean
}

/** Whether its things stand in each other. */
export function isTree({ kind, above }: Pick<StructureKind, 'kind' | 'above'>): boolean {
  return above?.kind === kind
}
