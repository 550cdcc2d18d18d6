import type { Bench } from '../host.ts'
import { queryAnswerTests } from './query-answers.ts'
import { queryInputTests } from './query-input.ts'
import { queryRightsTests } from './query-rights.ts'
import { savedQueryTests } from './saved-queries.ts'

/** Ad-hoc and saved queries. */
export function queryTests(bench: () => Bench): void {
  queryAnswerTests(bench)
  savedQueryTests(bench)
  queryInputTests(bench)
  queryRightsTests(bench)
}
