import type { Call } from '../../engine/call.ts'

/** Renders for a caller who waits for it: of each caller one page at a time. Errors: `too_many_requests` when too many of one wait. */
export async function renderedFor<T>({ shared, identity }: Call, render: () => Promise<T>): Promise<T> {
  return shared.inOrder(`render ${identity.kind}:${identity.id}`, render)
}
