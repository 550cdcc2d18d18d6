import type { PageRun } from './page-run.ts'

/** A filter of templates that knows the page it stands on. */
export type PageFilter = (run: PageRun, value: unknown, argument: unknown) => unknown
