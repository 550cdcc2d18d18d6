import type { SqlValues } from '@quire/store-sql'
import { holdable } from './holdable.ts'
import type { WaitingWrite, WriteGroup, WriteStatement } from './waiting-write.ts'

/** The last write of the rows with a key. */
interface Last {
  readonly statement: WriteStatement
  readonly step: number
}

/**
 * Groups writes into steps that run one after another. The groups of a step write different rows, so
 * that their order does not matter. A write is in a later step than earlier ones of the same rows,
 * unless it can be in one statement with them.
 */
export function groupWrites(writes: readonly WaitingWrite[]): readonly (readonly WriteGroup[])[] {
  const steps: Map<WriteStatement, SqlValues[]>[] = []
  const lasts = new Map<string, Last>()
  for (const { statement, values } of writes) {
    const key = keyOf(statement, values)
    const step = stepAfter(lasts.get(key), statement)
    lasts.set(key, { statement, step })
    const groups = (steps[step] ??= new Map())
    const runs = groups.get(statement)
    if (runs) runs.push(values)
    else groups.set(statement, [values])
  }
  return steps.map((groups) =>
    [...groups].map(([statement, runs]) => ({ statement, runs: inOrder(statement, runs) })),
  )
}

/** Orders updates by their rows, so that two transactions that update the same rows cannot deadlock. */
function inOrder({ rows }: WriteStatement, runs: readonly SqlValues[]): readonly SqlValues[] {
  const [name] = rows.key
  if (rows.repeats || name === undefined || runs.length === 1) return runs
  return runs.toSorted((a, b) => ((a[name] ?? '') < (b[name] ?? '') ? -1 : 1))
}

function stepAfter(last: Last | undefined, statement: WriteStatement): number {
  if (!last) return 0
  return last.statement === statement && statement.rows.repeats ? last.step : last.step + 1
}

/** Identifies the rows that a run writes. */
function keyOf({ rows }: WriteStatement, values: SqlValues): string {
  return JSON.stringify([rows.table, ...rows.key.map((name) => holdable(values[name] ?? null))])
}
