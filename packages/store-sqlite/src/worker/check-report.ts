import type { Failure } from './protocol.ts'

/** The result of a database check. */
export type CheckReport = { readonly problems: readonly string[] } | { readonly failure: Failure }
