/** The levels that `QUIRE_LOG` takes, from most to least. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** How much is told. */
export type LogLevel = (typeof logLevels)[number]
