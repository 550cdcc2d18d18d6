import { mayDo } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import type { JournalRow } from '../ports/index.ts'

/** What was said of an entry: by its caller, or by the merge that brought it, for those who may know of the package. */
export function commentOf(call: Call, { repositoryId, details }: JournalRow): { comment?: string } {
  const { comment, packageName } = details
  if (typeof comment === 'string') return { comment }
  if (typeof packageName !== 'string') return {}
  if (!mayDo(call.identity.permissions, 'packages.view', { repositoryId })) return {}
  return { comment: `Merged from the package "${packageName}"` }
}
