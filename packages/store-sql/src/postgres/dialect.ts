import { sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../dialect.ts'
import { excluded, names } from '../row-of.ts'
import { insertRow } from '../row-write.ts'
import * as tables from '../tables.ts'
import { holds } from './holds.ts'

/**
 * Writes parameters as `$1`, `$2`… Both databases quote names the same way. Drizzle's own dialect
 * of PostgreSQL is not used, because every start would have to load it.
 */
class NumberedCompiler extends SQLiteSyncDialect {
  override escapeParam(index: number): string {
    return `$${index + 1}`
  }
}

const compiler = new NumberedCompiler()

/**
 * The dialect of PostgreSQL. Every text column compares by bytes (`COLLATE "C"`), like text in
 * SQLite.
 */
export const postgresDialect: Dialect = {
  tables,
  compile: (query) => compiler.sqlToQuery(query),
  joinInOrder: sql`JOIN`,
  // Keeps the planner from flattening the subquery. Otherwise it collects everything that a role
  // may read for a page of 25, as if all matches were shown.
  forEachRow: sql` OFFSET 0`,
  anyOf: (expression, list) =>
    sql`${expression} = ANY (ARRAY(SELECT jsonb_array_elements_text(${list}::jsonb)))`,
  anyNumberOf: (expression, list) =>
    sql`${expression} = ANY (ARRAY(SELECT jsonb_array_elements_text(${list}::jsonb)::bigint))`,
  rowsOf: (list) => ({
    from: sql`jsonb_array_elements(${list}::jsonb) AS j (members)`,
    member: (index) => sql`j.members ->> ${sql.raw(String(index))}`,
  }),
  lateral: (columns, rest) => ({
    from: sql`LATERAL (SELECT ${sql.join(
      columns.map((column, index) => sql`${column} AS ${memberName(index)}`),
      sql`, `,
    )} ${rest}) AS j`,
    member: (index) => sql`j.${memberName(index)}`,
  }),
  positionOf: (text, needle) => sql`strpos(lower(${text}), ${needle})`,
  withoutFirst: (text) => sql`substr(${text}, 2)`,
  replaceInto(table, columns) {
    const [key = '', ...others] = Object.keys(columns)
    const of = (name: string) => columns[name] ?? []
    return insertRow(table, columns, {
      key: [key],
      rest: sql`ON CONFLICT (${names([key].flatMap(of))}) DO UPDATE SET ${excluded(others.flatMap(of))}`,
      repeats: false,
    })
  },
  isShared: true,
  unmoved: sql` FOR SHARE`,
  leavesDeadRows: true,
  nextHead: sql`nextval('heads_head_seq')`,
  nextRow: sql`nextval('search_rows_row_seq')`,
  holds,
  vocabulary: (ranges) =>
    sql`(SELECT u.lexeme AS word, count(*) AS rows FROM jsonb_array_elements(${ranges}::jsonb) AS j (ends) JOIN search ON search.vector @@ (quote_literal(j.ends ->> 0) || ':*')::tsquery CROSS JOIN LATERAL unnest(search.vector) AS u WHERE u.lexeme COLLATE "C" >= j.ends ->> 0 AND u.lexeme COLLATE "C" < j.ends ->> 1 GROUP BY u.lexeme)`,
  indexedRows: sql`(SELECT rowid AS row FROM search)`,
  indexSize: sql`SELECT pg_relation_size('search_vector'), pg_relation_size('search_vector') / current_setting('block_size')::integer`,
}

function memberName(index: number) {
  return sql.raw(`m${index}`)
}
