import { graphqlAnswerTests } from './graphql-answers.ts'
import { graphqlChangeTests } from './graphql-changes.ts'
import { graphqlBranchTests } from './graphql-branches.ts'
import { graphqlListTests } from './graphql-lists.ts'
import { graphqlRightsTests } from './graphql-rights.ts'
import type { Bench } from '../host.ts'

/** GraphQL over the content of a repository. */
export function graphqlTests(bench: () => Bench): void {
  graphqlAnswerTests(bench)
  graphqlListTests(bench)
  graphqlChangeTests(bench)
  graphqlBranchTests(bench)
  graphqlRightsTests(bench)
}
