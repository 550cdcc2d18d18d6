import type { QueryLanguage } from './filter.ts'
import { and, not } from './logic.ts'
import type { HeadSet } from './path-memo.ts'
import { type Piece, piece, value } from './piece.ts'
import { typeCondition } from './source.ts'

/** Whether every live head of a set has a row for the path: 1 or 0. Walks the set once, or up to the first head without. */
export function completeQuery(language: QueryLanguage, { line, kind, types }: HeadSet, path: string): Piece {
  const { heads, values, from } = language.columns
  const row = piece`SELECT 1 FROM ${from.values} WHERE ${values.head} = ${heads.head} AND ${values.path} = ${value(path)}`
  const without = and([
    piece`${heads.line} = ${value(line)}`,
    piece`${heads.kind} = ${value(kind)}`,
    piece`${heads.deletedDate} IS NULL`,
    ...(types ? [typeCondition(language, heads.type, types)] : []),
    not(piece`EXISTS (${row})`),
  ])
  return piece`SELECT ${not(piece`EXISTS (SELECT 1 FROM ${from.heads} WHERE ${without})`)}`
}
