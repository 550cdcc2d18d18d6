/** The values of `QUIRE_LOG`, from most to least output. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A level of the log. */
export type LogLevel = (typeof logLevels)[number]
