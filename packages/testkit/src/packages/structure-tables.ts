/**
 * What one side does to a folder, taxonomy or category, or next to it: `created` makes another one
 * with the name that `renamed` uses.
 */
export const structureActs = ['unchanged', 'edited', 'deleted', 'moved', 'renamed', 'created'] as const

export type StructureAct = (typeof structureActs)[number]

type Table = Readonly<Record<StructureAct, readonly string[]>>

/**
 * The outcome of a merge after one action in the package (rows) and another on main (columns).
 * Either the resulting state of main: its description (named after the side that wrote it), its
 * parent (1 in the package, 2 on main) and its name, as far as they changed, and the entities that
 * were created; or the conflicts, each with its path and kind. Source: DESIGN "Packages".
 */
const trees: Table = {
  unchanged: ['as before', 'description there', 'gone', 'in 2', 'name wanted', 'as before, one made there'],
  edited: [
    'description here',
    '409 description changed',
    '409 all deleted_on_main',
    'description here, in 2',
    'description here, name wanted',
    'description here, one made there',
  ],
  deleted: [
    'gone',
    '409 all deleted_in_package',
    'gone',
    '409 all deleted_in_package',
    '409 all deleted_in_package',
    'gone, one made there',
  ],
  moved: [
    'in 1',
    'description there, in 1',
    '409 all deleted_on_main',
    '409 parentId changed',
    'in 1, name wanted',
    'in 1, one made there',
  ],
  renamed: [
    'name wanted',
    'description there, name wanted',
    '409 all deleted_on_main',
    'in 2, name wanted',
    'name wanted',
    '409 name value_taken',
  ],
  created: [
    'as before, one made here',
    'description there, one made here',
    'gone, one made here',
    'in 2, one made here',
    '409 name value_taken',
    '409 name value_taken',
  ],
}

/** Taxonomies and sites have no parent, so they cannot be moved. */
export const structureTables: {
  readonly [K in 'folder' | 'taxonomy' | 'category' | 'site' | 'section' | 'page']: {
    readonly table: Table
    readonly isMoved: boolean
  }
} = {
  folder: { table: trees, isMoved: true },
  taxonomy: { table: trees, isMoved: false },
  category: { table: trees, isMoved: true },
  site: { table: bySlug(trees, 'parentId'), isMoved: false },
  section: { table: bySlug(trees, 'parentId'), isMoved: true },
  page: { table: bySlug(trees, 'sectionId'), isMoved: true },
}

/**
 * The same table for kinds whose slug is unique among siblings, with the member that names the
 * parent.
 */
function bySlug(table: Table, standsIn: 'parentId' | 'sectionId'): Table {
  const reported = (act: StructureAct) =>
    table[act].map((outcome) =>
      outcome.replace('name value_taken', 'slug value_taken').replace('parentId', standsIn),
    )
  return {
    unchanged: reported('unchanged'),
    edited: reported('edited'),
    deleted: reported('deleted'),
    moved: reported('moved'),
    renamed: reported('renamed'),
    created: reported('created'),
  }
}
