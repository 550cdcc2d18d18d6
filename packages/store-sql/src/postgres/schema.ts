import { historyTables } from './history-tables.ts'
import { headTables } from './head-tables.ts'
import { plainTables } from './plain-tables.ts'
import { searchTables } from './search-tables.ts'

/** The tables of SQLite, and `commits`, by which processes know what others committed. */
export const postgresSchema = [headTables, historyTables, searchTables, plainTables].join('\n')
