import {
  type Planned,
  type Row,
  type SqlDriver,
  type SqlValue,
  type SqlValues,
  compileQuery,
  postgresDialect,
} from '@quire/store-sql'
import type { QueryArrayConfig } from 'pg'
import { holdable } from './holdable.ts'

/** What a statement gave. */
interface Ran {
  readonly rows: unknown[][]
  readonly rowCount: number | null
}

/** Runs a statement. Errors: StoreUnavailable for what the database cannot do now. */
export type Run = (statement: QueryArrayConfig<SqlValue[]>) => Promise<Ran>

/** Gives a statement to be run after those before it. */
export type Send = (statement: QueryArrayConfig<SqlValue[]>) => Promise<void>

/**
 * A driver over whatever runs statements. Rows come as arrays. What is planned at each run has no name: PostgreSQL plans a named statement for its values
 * five times and then once for any values, after which a rare word among 100 000 items took 230 ms in place of 15.
 */
export function createDriver(run: Run, names: StatementNames, send?: Send): SqlDriver {
  return {
    prepare<R extends Row>(query: Parameters<SqlDriver['prepare']>[0], planned: Planned = 'once') {
      const compiled = compileLater(() => compileQuery(postgresDialect, query))
      const statementOf = (values: SqlValues = {}): QueryArrayConfig<SqlValue[]> => {
        const { text, bind } = compiled()
        const name = planned === 'once' ? names.nameOf(text) : null
        return { text, values: bind(values).map(holdable), rowMode: 'array', ...(name !== null && { name }) }
      }
      return {
        all: async (values) => rowsOf<R>(await run(statementOf(values))),
        get: async (values) => rowsOf<R>(await run(statementOf(values)))[0],
        run: async (values) => (await run(statementOf(values))).rowCount ?? 0,
        send: async (values) => void (await (send ?? run)(statementOf(values))),
      }
    },
  }
}

/** The one border where rows as the driver gives them become what the statement selects, which only who wrote it knows. */
function rowsOf<R extends Row>({ rows }: Ran): R[] {
  return rows as unknown[] as R[]
}

/** Calls `make` on first use and keeps what it made. */
function compileLater<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** The names under which connections keep statements parsed. */
export interface StatementNames {
  /** Null for a statement that is not kept. */
  nameOf(text: string): string | null
}

/**
 * Statements that a connection keeps at most. Those with a fixed text are some 150; of searches and lists none is kept. A plan takes some 20 to
 * 100 KB in the database, for each connection; a statement beyond is parsed and planned whenever it runs.
 */
const MOST_NAMES = 1_000

/** Gives each text a name of its own. */
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
