import type { QueryLanguage } from './filter.ts'
import { and } from './logic.ts'
import type { HeadSet } from './path-memo.ts'
import { type SqlPart, piece, value } from './sql-part.ts'
import { typeCondition } from './source.ts'

/**
 * Selects 1 if every live head of a set has a row for the path, else 0. Compares two counts, which
 * is enough: a single field has one value per head, and only live heads have values. These are two
 * walks of an index; looking up each head's row takes five times as long.
 */
export function completeQuery(
  language: QueryLanguage,
  { branch, kind, types }: HeadSet,
  path: string,
): SqlPart {
  const { heads, driving, from } = language.columns
  const ofTypes = (type: SqlPart) => (types ? [typeCondition(language, type, types)] : [])
  const live = and([
    piece`${heads.branch} = ${value(branch)}`,
    piece`${heads.kind} = ${value(kind)}`,
    piece`${heads.deletedDate} IS NULL`,
    ...ofTypes(heads.type),
  ])
  const valued = and([
    piece`${driving.branch} = ${value(branch)}`,
    piece`${driving.kind} = ${value(kind)}`,
    piece`${driving.path} = ${value(path)}`,
    ...ofTypes(driving.type),
  ])
  return piece`SELECT (SELECT count(*) FROM ${from.heads} WHERE ${live}) = (SELECT count(*) FROM ${from.driving} WHERE ${valued})`
}
