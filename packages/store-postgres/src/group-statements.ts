import { type GroupedStatement, compileParts } from '@quire/store-sql'
import { holdable } from './holdable.ts'
import type { Statement, StatementNames } from './postgres-driver.ts'
import type { WriteGroup } from './waiting-write.ts'

/**
 * The maximum number of statements that combine several writes. Which writes a transaction makes
 * varies little: creates, saves and deletes of items need some twenty. A plan takes some 300 KB in
 * the database.
 */
const MOST_COMBINED = 100

/** Makes the statements that run groups of different rows. */
export interface GroupStatements {
  /** One statement; one for each group if too many different ones were combined already. */
  of(groups: readonly WriteGroup[]): readonly Statement[]
}

export function createGroupStatements(names: StatementNames): GroupStatements {
  const compiled = new Map<string, GroupedStatement>()
  let combined = 0
  const find = (groups: readonly WriteGroup[]): GroupedStatement | null => {
    const parts = groups.map(({ statement, runs }) => ({ ...statement, isOne: runs.length === 1 }))
    const key = parts.map(({ number, isOne }) => `${number}${isOne ? '' : '+'}`).join(' ')
    const found = compiled.get(key)
    if (found) return found
    if (parts.length > 1 && combined >= MOST_COMBINED) return null
    if (parts.length > 1) combined += 1
    const made = compileParts(parts)
    compiled.set(key, made)
    return made
  }
  const statementsOf = (groups: readonly WriteGroup[]): readonly Statement[] => {
    const found = find(groups)
    if (!found) return groups.flatMap((group) => statementsOf([group]))
    const name = names.nameOf(found.text)
    const values = found.bind(
      groups.map(({ runs }) => runs),
      holdable,
    )
    return [{ text: found.text, values, rowMode: 'array', ...(name !== null && { name }) }]
  }
  return {
    of: (groups) => statementsOf(groups.toSorted((a, b) => a.statement.number - b.statement.number)),
  }
}
