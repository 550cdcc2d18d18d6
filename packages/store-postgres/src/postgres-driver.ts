import {
  type GroupedParameter,
  type Planned,
  type Row,
  type SqlDriver,
  type SqlValues,
  compileQuery,
  postgresDialect,
} from '@quire/store-sql'
import type { QueryArrayConfig } from 'pg'
import { compileLater } from './compile-later.ts'
import { holdable } from './holdable.ts'

/** The result of a statement. */
interface Ran {
  readonly rows: unknown[][]
  readonly rowCount: number | null
}

/** A statement with its parameters. */
export type Statement = QueryArrayConfig<GroupedParameter[]>

/** Runs a statement. Errors: StoreUnavailable when the database cannot run it now. */
export type Run = (statement: Statement) => Promise<Ran>

/** Queues a statement to run after the earlier ones. */
export type Send = (statement: Statement) => Promise<void>

/**
 * A driver over a function that runs statements. Rows are arrays. Statements planned for each run
 * have no name: PostgreSQL plans a named statement for its actual values five times, and then once
 * for any values, after which a search for a rare word among 100 000 items took 230 ms instead of
 * 15.
 */
export function createDriver(run: Run, names: StatementNames): SqlDriver {
  return {
    prepare<R extends Row>(query: Parameters<SqlDriver['prepare']>[0], planned: Planned = 'once') {
      const compiled = compileLater(() => compileQuery(postgresDialect, query))
      const statementOf = (values: SqlValues = {}): Statement => {
        const { text, bind } = compiled()
        const name = planned === 'once' ? names.nameOf(text) : null
        return { text, values: bind(values).map(holdable), rowMode: 'array', ...(name !== null && { name }) }
      }
      return {
        all: async (values) => rowsOf<R>(await run(statementOf(values))),
        get: async (values) => rowsOf<R>(await run(statementOf(values)))[0],
        run: async (values) => (await run(statementOf(values))).rowCount ?? 0,
        send: async (values) => void (await run(statementOf(values))),
      }
    },
  }
}

/** The one cast of the driver's rows to the type of the statement, which only its author knows. */
function rowsOf<R extends Row>({ rows }: Ran): R[] {
  return rows as unknown[] as R[]
}

/** The names under which connections cache parsed statements. */
export interface StatementNames {
  /** Null for a statement that is not cached. */
  nameOf(text: string): string | null
}

/**
 * The maximum number of cached statements per connection. Some 150 statements have a fixed text;
 * searches and lists are not cached. A plan takes some 20 to 100 KB in the database for each
 * connection. Statements above the limit are parsed and planned on each run.
 */
const MOST_NAMES = 1_000

/** Assigns a unique name to each text. */
export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (names.size >= MOST_NAMES) return null
      const name = `q${names.size + 1}`
      names.set(text, name)
      return name
    },
  }
}
