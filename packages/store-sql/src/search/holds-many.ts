import type { Lists } from '../entities/read-statements.ts'
import { piece, value } from '../query/piece.ts'
import type { Arm } from '../query/source.ts'
import { anyNumberOf } from '../query/value-condition.ts'
import type { Session } from '../session.ts'

/**
 * Documents from which on what brings together all rows of a word goes where long reads hold up nobody. With so many it takes some 20 ms; at
 * half, small sites start a thread for what is done in the time that starting it takes.
 */
const MANY = 10_000

/** Whether the lines that a read looks in hold many documents: found out once between two commits. */
export async function holdsMany(
  { numbers, language }: Lists,
  { counts }: Session,
  arms: readonly Arm[],
): Promise<boolean> {
  const { from, rows } = language.columns
  const among = anyNumberOf(
    language.dialect,
    rows.line,
    arms.map(({ line }) => line),
  )
  const some = piece`SELECT count(*) FROM (SELECT 1 FROM ${from.rows} WHERE ${among} LIMIT ${value(MANY)}) q`
  const count = async () => {
    const [row] = await numbers.all(some)
    return row?.[0] ?? 0
  }
  return (counts ? await counts.get(some, count) : await count()) === MANY
}
