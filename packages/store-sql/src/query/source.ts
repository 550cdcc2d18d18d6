import type { TextQuery } from '@quire/core/ports'
import type { Scope } from '../branches.ts'
import { anywhere } from '../search/sought.ts'
import { scopeOf } from '../search/tokens.ts'
import type { DrivenQuery, Drive, DrivingTest, Plan } from './drive.ts'
import { type QueryLanguage, type Source, filterPiece, memberPiece } from './filter.ts'
import { always, and, not, or } from './logic.ts'
import { type SqlPart, join, piece, value } from './sql-part.ts'
import type { DrivenPath } from './sort.ts'
import { anyOf, drivenCondition } from './value-condition.ts'

/** The rows of one branch that a query walks. */
export interface Arm {
  readonly branch: number
  /** The branch whose heads override those of this one; null for none. */
  readonly shadowedBy: number | null
  /** The branch whose heads also limit who may read these; null for none. */
  readonly limitedBy: number | null
}

/**
 * The branches to read: the package's own heads, then main's without those that the package
 * overrides.
 */
export function armsOf({ own, main, isPackage }: Scope): readonly Arm[] {
  const arms: Arm[] = []
  if (own !== null) arms.push({ branch: own, shadowedBy: null, limitedBy: isPackage ? main : null })
  if (main !== null) arms.push({ branch: main, shadowedBy: own, limitedBy: null })
  return arms
}

/** A source with the condition that selects its rows. */
export interface BoundSource extends Source {
  readonly bound: SqlPart
  readonly driven?: DrivenPath
}

/** The source of one branch's rows, and all conditions on them. */
export function armSource(
  language: QueryLanguage,
  query: DrivenQuery,
  { plan, arm }: { plan: Plan; arm: Arm },
) {
  const source = sourceOf(language, plan.drive, { arm, query })
  const rest = plan.filters.map((filter) => filterPiece(language, source, filter))
  const where = and([
    source.bound,
    ...visibility(language, source, { query, plan }),
    ...rest,
    ...overlay(language, source, { query, arm }),
  ])
  return { source, where }
}

function sourceOf(language: QueryLanguage, drive: Drive, at: { arm: Arm; query: DrivenQuery }): BoundSource {
  if (drive.by === 'words') return wordsSource(language, drive.text, at)
  if (drive.by === 'heads') return headsSource(language, at)
  return valuesSource(language, drive, at)
}

function headsSource(
  { columns: { from, heads } }: QueryLanguage,
  { arm, query }: { arm: Arm; query: DrivenQuery },
): BoundSource {
  const bound = and([
    piece`${heads.branch} = ${value(arm.branch)}`,
    piece`${heads.kind} = ${value(query.kind)}`,
    piece`${heads.deletedDate} IS NULL`,
  ])
  return { from: from.heads, head: heads.head, limited: heads.limited, members: heads, bound }
}

/** Words are searched within the scope of branch and kind. Only live heads have a document. */
function wordsSource(
  { dialect, columns: { from, heads, rows, search, lookUp } }: QueryLanguage,
  text: TextQuery,
  { arm, query }: { arm: Arm; query: DrivenQuery },
): BoundSource {
  return {
    from: piece`${from.search} ${lookUp} ${from.rows} ON ${rows.row} = ${search.row} ${lookUp} ${from.heads} ON ${heads.head} = ${rows.head}`,
    head: heads.head,
    limited: heads.limited,
    members: heads,
    bound: dialect.holds(anywhere(scopeOf(arm.branch, query.kind), text)),
  }
}

function valuesSource(
  language: QueryLanguage,
  drive: Drive & { by: 'values' },
  at: { arm: Arm; query: DrivenQuery },
): BoundSource {
  const { from, heads, driving, lookUp } = language.columns
  const { walked, bound, driven } = walkedValues(language, drive.driving, at)
  return {
    from: drive.alone ? walked : piece`${walked} ${lookUp} ${from.heads} ON ${heads.head} = ${driving.head}`,
    head: driving.head,
    limited: driving.limited,
    members: drive.alone ? driving : { ...heads, ...driving },
    bound,
    ...driven,
  }
}

/**
 * In a list field, several values of one entity may pass. Each entity is then selected once, under
 * the same alias but without its value.
 */
function walkedValues(
  language: QueryLanguage,
  test: DrivingTest,
  at: { arm: Arm; query: DrivenQuery },
): { walked: SqlPart; bound: SqlPart; driven?: { driven: DrivenPath } } {
  const { from, driving } = language.columns
  const bound = drivingBound(language, test, at)
  if (!test.list || test.test.op === 'eq') {
    return { walked: from.driving, bound, driven: { driven: { path: test.path, expression: driving.value } } }
  }
  const { head, limited, id, type, archived, createdDate, updatedDate } = driving
  const columns = join([head, limited, id, type, archived, createdDate, updatedDate], ', ')
  return { walked: piece`(SELECT DISTINCT ${columns} FROM ${from.driving} WHERE ${bound}) v`, bound: always }
}

function drivingBound(
  { dialect, columns: { driving } }: QueryLanguage,
  { path, test }: DrivingTest,
  { arm, query }: { arm: Arm; query: DrivenQuery },
): SqlPart {
  return and([
    piece`${driving.branch} = ${value(arm.branch)}`,
    piece`${driving.kind} = ${value(query.kind)}`,
    piece`${driving.path} = ${value(path)}`,
    drivenCondition(dialect, driving.value, test),
  ])
}

/** Conditions on what the reader may see, and on archived heads. */
export function visibility(
  language: QueryLanguage,
  source: Source,
  { query, plan }: { query: DrivenQuery; plan: Plan },
): SqlPart[] {
  const { members, limited } = source
  const parts: SqlPart[] = []
  if (plan.types && members.type) parts.push(typeCondition(language, members.type, plan.types))
  if (!query.archived && members.archived) parts.push(piece`${members.archived} = 0`)
  if (query.reader.roles !== 'all') {
    const open = piece`${limited} = 0`
    parts.push(
      query.reader.roles.length === 0
        ? open
        : or([open, holdsRole(language, source.head, query.reader.roles)]),
    )
  }
  return parts
}

export function typeCondition({ dialect }: QueryLanguage, type: SqlPart, types: readonly string[]): SqlPart {
  const [only] = types
  return types.length === 1 && only !== undefined
    ? piece`${type} = ${value(only)}`
    : anyOf(dialect, type, types)
}

function holdsRole(
  { dialect, columns: { from, roles, forEachRow } }: QueryLanguage,
  head: SqlPart,
  held: readonly string[],
): SqlPart {
  return piece`EXISTS (SELECT 1 FROM ${from.roles} WHERE ${roles.head} = ${head} AND ${anyOf(dialect, roles.role, held)}${forEachRow})`
}

/**
 * Conditions on the same entity on another branch: on main, only heads that the package does not
 * override; in a package, only those of which the reader may also read main's.
 */
export function overlay(
  language: QueryLanguage,
  source: Source,
  { query, arm: { shadowedBy, limitedBy } }: { query: DrivenQuery; arm: Arm },
): SqlPart[] {
  const { from, other } = language.columns
  const { roles } = query.reader
  const onOther = (branch: number, conditions: readonly SqlPart[]) => {
    const same = [
      piece`${other.branch} = ${value(branch)}`,
      piece`${other.kind} = ${value(query.kind)}`,
      piece`${other.id} = ${memberPiece(source, 'id')}`,
    ]
    return not(piece`EXISTS (SELECT 1 FROM ${from.other} WHERE ${and([...same, ...conditions])})`)
  }
  const isClosed = [
    piece`${other.limited} = 1`,
    ...(roles === 'all' || roles.length === 0 ? [] : [not(holdsRole(language, other.head, roles))]),
  ]
  return [
    ...(shadowedBy === null ? [] : [onOther(shadowedBy, [])]),
    ...(limitedBy === null || roles === 'all' ? [] : [onOther(limitedBy, isClosed)]),
  ]
}
