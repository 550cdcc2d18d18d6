import { historyTables } from './history-tables.ts'
import { headTables } from './head-tables.ts'
import { plainTables } from './plain-tables.ts'
import { searchTables } from './search-tables.ts'

/** Schema 1: the tables of SQLite's schema 8, and `commits`, by which processes know what others committed. */
export const firstSchema = [headTables, historyTables, searchTables, plainTables].join('\n')
