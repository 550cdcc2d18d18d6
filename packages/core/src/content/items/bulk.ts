import { contract, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { requireRefusal } from '../../engine/errors.ts'
import { requireRoomFor } from '../../engine/room.ts'
import { findScope } from '../../engine/scope.ts'
import { actionInput, requireActionInput } from './bulk-action.ts'
import { heldMessage } from './holders.ts'

type Bulk = Contract['items']['bulk']
type Input = ParsedOf<Bulk>
type Outcome = OutputOf<Bulk>['outcomes'][number]

/**
 * Runs one action on many items, each as if it were called alone. Returns the outcomes in the order
 * of the ids, each id once.
 * Errors: `not_found` for the repository or package; with `atomic` the first error of an item, and
 * nothing is changed.
 */
export async function bulkItems(call: Call, input: Input): Promise<OutputOf<Bulk>> {
  requireActionInput(input)
  await findScope(call, input)
  await requireRoomFor(call.environment.store, contract.items[input.action], input)
  const ids = [...new Set(input.ids)]
  // If-Match names one revision, so it cannot apply to many items.
  const each: Call = { ...call, ifMatch: undefined }
  const outcomes = input.atomic
    ? await each.write((call) => inOrder(ids, (id) => actOn(call, input, id)))
    : await inOrder(ids, (id) => tryOn(each, input, id))
  const succeeded = outcomes.filter(({ ok }) => ok).length
  return { succeeded, failed: outcomes.length - succeeded, outcomes }
}

async function inOrder(ids: readonly string[], act: (id: string) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const id of ids) outcomes.push(await act(id))
  return outcomes
}

async function actOn(call: Call, input: Input, id: string): Promise<Outcome> {
  const answer: unknown = valueOf(await call.invoke(`items.${input.action}`, actionInput(input, id)))
  if (isPlan(answer)) return plannedOutcome(id, answer)
  return isItem(answer) ? { id, ok: true, item: answer } : { id, ok: true }
}

type Plan = NonNullable<OutputOf<Contract['items']['delete']>>

function isPlan(value: unknown): value is Plan {
  return typeof value === 'object' && value !== null && 'wouldFail' in value
}

function plannedOutcome(id: string, { wouldFail, restrict, unset, ignore }: Plan): Outcome {
  const error = { code: 'referenced', message: heldMessage }
  return { id, ok: !wouldFail, impact: { restrict, unset, ignore }, ...(wouldFail && { error }) }
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && 'currentVersion' in value
}

async function tryOn(call: Call, input: Input, id: string): Promise<Outcome> {
  try {
    return await actOn(call, input, id)
  } catch (error) {
    const { code, message, issues } = requireRefusal(error, call.requestId)
    return { id, ok: false, error: { code, message, ...(issues && { issues }) } }
  }
}
