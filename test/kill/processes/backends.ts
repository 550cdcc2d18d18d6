import { asAdministrator } from '../../services/postgres.ts'

/** The connections to a schema, as seen by the database. */
export interface Backends {
  /**
   * Ends a random connection; on every second call one in a transaction, if there is one. Returns
   * how many were ended.
   */
  terminateOne(): Promise<number>
  /** The last query of each open connection. */
  open(): Promise<readonly string[]>
}

const cut = `
  SELECT pg_terminate_backend(pid) FROM (
    SELECT pid FROM pg_stat_activity WHERE application_name = $1
    ORDER BY ($2 AND state <> 'idle') DESC, random() LIMIT 1) AS chosen`

/** For the connections of all stores that are open on a schema. */
export function backendsOf(schema: string): Backends {
  const name = `quire ${schema}`
  return {
    terminateOne: () =>
      asAdministrator(async (client) => (await client.query(cut, [name, Math.random() < 0.5])).rows.length),
    open: () =>
      asAdministrator(async (client) => {
        const { rows } = await client.query<{ query: string }>(
          'SELECT query FROM pg_stat_activity WHERE application_name = $1',
          [name],
        )
        return rows.map(({ query }) => query)
      }),
  }
}
