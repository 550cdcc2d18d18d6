import type { Issue } from '@quire/contract'

/** What `refuse` returns. */
export class HookRefusal extends Error {
  override readonly name = 'HookRefusal'
  readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    super(issues.map(({ path, message }) => `${path}: ${message}`).join('; '))
    this.issues = issues
  }
}

/**
 * The error with which a hook refuses a save: 400 `invalid` with these issues. `path` names a
 * member in dot notation (`fields.price`), or is empty for the whole; the message says what has to
 * be different. Errors: TypeError without issues.
 * @example
 * throw refuse([{ path: 'fields.price', message: 'must not be below the cost' }])
 */
export function refuse(issues: readonly Issue[]): HookRefusal {
  if (!Array.isArray(issues) || issues.length === 0 || !issues.every(isIssue))
    throw new TypeError('refuse takes a list of at least one issue: { path, message }, both texts.')
  return new HookRefusal(issues.map(({ path, message }) => ({ path, message })))
}

function isIssue(value: Partial<Issue> | null): boolean {
  return typeof value?.path === 'string' && typeof value.message === 'string'
}
