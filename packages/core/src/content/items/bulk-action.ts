import type { Contract, ParsedOf } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'

type Input = ParsedOf<Contract['items']['bulk']>

/**
 * Refuses members of `input` that select the items or the mode. They belong next to `input`; inside
 * it they could silently change what the call works on. Errors: `invalid`.
 */
export function requireActionInput({ input }: Input): void {
  const foreign = ['configId', 'packageName', 'id', 'dryRun'].filter((name) => Object.hasOwn(input, name))
  if (foreign.length > 0)
    throw invalid(
      foreign.map((name) => ({ path: `input.${name}`, message: 'belongs next to input, not inside it' })),
    )
}

/** The input of the action of a bulk call on one item. */
export function actionInput(
  { action, configId, packageName, input, dryRun }: Input,
  id: string,
): Record<string, unknown> {
  const scope = packageName === undefined ? { configId } : { configId, packageName }
  // A dry run of a delete has its own answer. The other actions answer the same in a dry run.
  return { ...input, ...scope, ...(action === 'delete' && { dryRun }), id }
}
