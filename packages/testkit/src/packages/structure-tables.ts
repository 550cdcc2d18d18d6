/** What one side does to a folder, taxonomy or category, or beside it: `created` makes another with the name that `renamed` takes. */
export const structureActs = ['unchanged', 'edited', 'deleted', 'moved', 'renamed', 'created'] as const

/** One of them. */
export type StructureAct = (typeof structureActs)[number]

type Table = Readonly<Record<StructureAct, readonly string[]>>

/**
 * What comes of a merge when the package did one thing (rows) and main another (columns). Either what main then says: its description (by
 * the side that wrote it), what it stands in (1 in the package, 2 on main) and its name where they are not as before, and what was made; or
 * the conflicts, each with its path and kind. Source: DESIGN "Packages".
 */
const trees: Table = {
  unchanged: ['as before', 'said there', 'gone', 'in 2', 'called wanted', 'as before, one made there'],
  edited: [
    'said here',
    '409 description changed',
    '409 all deleted_on_main',
    'said here, in 2',
    'said here, called wanted',
    'said here, one made there',
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
    'said there, in 1',
    '409 all deleted_on_main',
    '409 parentId changed',
    'in 1, called wanted',
    'in 1, one made there',
  ],
  renamed: [
    'called wanted',
    'said there, called wanted',
    '409 all deleted_on_main',
    'in 2, called wanted',
    'called wanted',
    '409 name value_taken',
  ],
  created: [
    'as before, one made here',
    'said there, one made here',
    'gone, one made here',
    'in 2, one made here',
    '409 name value_taken',
    '409 name value_taken',
  ],
}

/** Taxonomies and sites stand in nothing: nobody moves them. */
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

/** The same for what is called by its slug beside others, and says by a member where it stands. */
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
