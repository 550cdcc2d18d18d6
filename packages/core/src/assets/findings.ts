import type { JsonObject } from '../ports/index.ts'

// Of a job's result: more of them are in the log.
const mostKept = 100

/** What a long piece of work found, the first hundred. */
export interface Findings {
  add(finding: JsonObject): void
  readonly kept: readonly JsonObject[]
}

/** Nothing was found yet. */
export function createFindings(): Findings {
  const kept: JsonObject[] = []
  return {
    kept,
    add(finding) {
      if (kept.length < mostKept) kept.push(finding)
    },
  }
}
