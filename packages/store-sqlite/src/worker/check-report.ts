import type { Failure } from './protocol.ts'

/** What a look through a database found. */
export type CheckReport = { readonly problems: readonly string[] } | { readonly failure: Failure }
