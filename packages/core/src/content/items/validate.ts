import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { findScope } from '../../engine/scope.ts'
import { findItem } from './find.ts'
import { publishIssues } from './publishable.ts'

type Validate = Contract['items']['validate']

/** What would stop a publish now. Errors: `not_found`. */
export async function validateItem(call: Call, input: ParsedOf<Validate>): Promise<OutputOf<Validate>> {
  const head = await findItem(call, await findScope(call, input), input.id)
  const issues = await publishIssues(call, head)
  return { valid: issues.length === 0, issues }
}
