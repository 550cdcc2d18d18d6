import { historyTables } from './history-tables.ts'
import { headTables } from './head-tables.ts'
import { plainTables } from './plain-tables.ts'
import { searchTables } from './search-tables.ts'

/**
 * The same tables as in SQLite, plus `commits`, by which processes notice the commits of others.
 */
export const postgresSchema = [headTables, historyTables, searchTables, plainTables].join('\n')
