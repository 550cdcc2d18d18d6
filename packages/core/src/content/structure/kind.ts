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

/** The answers of the API for each kind of structure. */
export interface StructureShapes {
  readonly folder: Folder
  readonly taxonomy: Taxonomy
  readonly category: Category
  readonly site: Site
  readonly section: Section
  readonly page: Page
}

/** The name of a kind of structure. */
export type StructureName = keyof StructureShapes

/** A member that holds the id of another entity. */
export interface MemberRef<K extends EntityKind = EntityKind> {
  readonly member: string
  readonly kind: K
}

/** How a kind of structure differs from the others. */
export interface StructureKind<K extends StructureName = StructureName> {
  readonly kind: K
  readonly prefix: 'CATG' | 'FOLD' | 'PAGE' | 'SECT' | 'SITE' | 'TAXO'
  readonly keys: { readonly [Act in 'read' | 'create' | 'update' | 'delete']: PermissionKey }
  readonly events: { readonly [E in 'created' | 'updated' | 'deleted' | 'restored']: JournalEvent }
  /** Whether the keys are held for a repository or for one site in it. */
  readonly scope: 'repository' | 'site'
  /** The parent, of the same or another kind. Null: entities of the kind have no parent. */
  readonly parent: MemberRef<StructureName> | null
  /**
   * The owner, which cannot change: the taxonomy of a category, or the site of a page. Null: the
   * repository.
   */
  readonly owner: MemberRef<StructureName> | null
  /** Other references. */
  readonly references: readonly MemberRef[]
  /** Other members that may be null. */
  readonly nullable: readonly string[]
  /** The member that must be unique among siblings, ignoring case. */
  readonly namedBy: 'name' | 'slug'
  /** Whether items show its name. */
  readonly isVisibleOnItems: boolean
}

/** Whether entities of the kind can have parents of the same kind. */
export function isTree({ kind, parent }: Pick<StructureKind, 'kind' | 'parent'>): boolean {
  return parent?.kind === kind
}
