import { contract, QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { valueOf, type Answer } from '../call/answer.ts'
import { saying, within, type Call } from '../call/call.ts'
import { checkInput, invalid } from '../call/check-input.ts'
import { translateError } from '../call/errors.ts'
import { findPlace } from '../lines/lines.ts'
import { categorizeItem, decategorizeItem } from './categorize.ts'
import { deleteItem, undeleteItem } from './delete.ts'
import { heldMessage } from './holders.ts'
import { moveItem } from './move.ts'
import { archiveItem, publishItem, unarchiveItem, unpublishItem } from './publish.ts'
import { updateItem } from './update.ts'

type Bulk = Contract['items']['bulk']
type Input = ParsedOf<Bulk>
type Outcome = OutputOf<Bulk>['outcomes'][number]
type Act = (call: Call, input: never) => Promise<Answer<unknown>>

const actions: { readonly [A in Input['action']]: Act } = {
  update: updateItem,
  move: moveItem,
  publish: publishItem,
  unpublish: unpublishItem,
  archive: archiveItem,
  unarchive: unarchiveItem,
  delete: deleteItem,
  undelete: undeleteItem,
  categorize: categorizeItem,
  decategorize: decategorizeItem,
}

/**
 * Does one thing to many items, each as if it were called alone, and answers each outcome in the order of the ids.
 * Errors: `not_found` for the repository or package; with `atomic` the error of the first that fails, nothing changed.
 */
export async function bulkItems(call: Call, input: Input): Promise<OutputOf<Bulk>> {
  requireOwnInput(input)
  await findPlace(call, input)
  const ids = [...new Set(input.ids)]
  // If-Match names one revision: it cannot hold for many items.
  const each: Call = { ...call, ifMatch: undefined }
  const outcomes = input.atomic
    ? await call.transaction((tx) => inOrder(ids, (id) => actOn(within(each, tx), input, id)))
    : await inOrder(ids, (id) => tryOn(each, input, id))
  const succeeded = outcomes.filter(({ ok }) => ok).length
  return { succeeded, failed: outcomes.length - succeeded, outcomes }
}

/** What names the items and the mode of a bulk stands beside `input`: inside it would quietly mean something else. */
function requireOwnInput({ input }: Input): void {
  const foreign = ['configId', 'packageName', 'id', 'dryRun'].filter((name) => Object.hasOwn(input, name))
  if (foreign.length > 0)
    throw invalid(foreign.map((name) => ({ path: `input.${name}`, message: 'stands beside input' })))
}

async function inOrder(ids: readonly string[], act: (id: string) => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const id of ids) outcomes.push(await act(id))
  return outcomes
}

async function actOn(
  call: Call,
  { action, configId, packageName, input, dryRun }: Input,
  id: string,
): Promise<Outcome> {
  const place = packageName === undefined ? { configId } : { configId, packageName }
  // What a delete would do is its own answer; the others answer the same in a dry run.
  const asked = action === 'delete' ? { ...place, dryRun } : place
  const parsed = checkInput(contract.items[action], { ...input, ...asked, id })
  // Parsed by the schema of the very operation that takes it.
  const answer = valueOf(await actions[action](saying(call, parsed), parsed as never))
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
    const known = translateError(error, call.requestId)
    if (!(known instanceof QuireError) || known.status >= 500) throw known
    const { code, message, issues } = known
    return { id, ok: false, error: { code, message, ...(issues && { issues }) } }
  }
}
