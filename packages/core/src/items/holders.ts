import { QuireError, type DeleteImpact, type JournalEvent } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import type { Place } from '../lines/lines.ts'
import type { IncomingEdge, JsonObject, Line, Transaction } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { contentOf } from './content.ts'
import { mayRead } from './find.ts'
import { writeItem } from './save.ts'
import { withoutTarget } from './without-target.ts'

// More references than this are refused: to unset so many belongs in a job.
const mostHolders = 1000

/** A reference, as deletions name it. */
export interface NamedHolder {
  readonly id: string
  readonly path: string
}

/** The references that others hold to what is to be deleted. Errors: `referenced` past 1 000. */
export async function holdersOf(
  tx: Transaction,
  line: Line,
  targets: readonly string[],
): Promise<readonly IncomingEdge[]> {
  const going = new Set(targets)
  const turn = takingTurns()
  const holders: IncomingEdge[] = []
  for (const target of going) {
    const edges = await tx.entities.incoming(line, target, mostHolders + 1)
    holders.push(...edges.filter(({ source }) => !going.has(source.id)))
    if (edges.length > mostHolders || holders.length > mostHolders) {
      const message = `More than ${mostHolders} references point here: remove some first.`
      throw new QuireError('referenced', message)
    }
    await turn()
  }
  return holders
}

/** Errors: `referenced` when a `restrict` field holds what is to be deleted. */
export function requireUnheld(call: Call, holders: readonly IncomingEdge[]): void {
  const holding = holders.filter(({ onDelete }) => onDelete === 'restrict')
  if (holding.length === 0) return
  // That something holds it cannot be hidden; how much there is that the caller may not read can.
  const named = namedHolders(call, holding)
  throw new QuireError('referenced', heldMessage, { details: { count: named.length, holders: named } })
}

/** What is said of what a `restrict` field holds. */
export const heldMessage = 'References in other items hold this one: see details.'

/** What a deletion does to the items that hold what it deletes, of those that the caller may read. */
export function impactOf(call: Call, holders: readonly IncomingEdge[]): DeleteImpact {
  const impact: DeleteImpact = { restrict: [], unset: [], ignore: [] }
  for (const { source, path, onDelete } of holders) {
    const { kind, id, name, type } = source
    if (kind === 'item' && mayRead(call, source)) impact[onDelete].push({ id, name, type, path })
  }
  return impact
}

/** Those of some references whose item the caller may read. */
function namedHolders(call: Call, holders: readonly IncomingEdge[]): NamedHolder[] {
  return holders
    .filter(({ source }) => source.kind === 'item' && mayRead(call, source))
    .map(({ source, path }) => ({ id: source.id, path }))
}

interface Unsetting {
  readonly place: Place
  readonly holders: readonly IncomingEdge[]
  readonly event: JournalEvent
}

/**
 * Takes what is to be deleted out of the items that hold it by `unset`, each as one new version; those that the caller may read are
 * answered.
 */
export async function unsetHolders(
  call: Call,
  tx: Transaction,
  { place, holders, event }: Unsetting,
): Promise<NamedHolder[]> {
  const unset = holders.filter(({ onDelete, source }) => onDelete === 'unset' && source.kind === 'item')
  const turn = takingTurns()
  for (const edges of Map.groupBy(unset, ({ source }) => source.id).values()) {
    const [first] = edges
    if (!first) continue
    const { source: previous } = first
    const type = await typeOf(within(call, tx), previous)
    const gone = edges.map(({ targetId }) => targetId)
    const content = contentOf(previous)
    const fields = gone.reduce<JsonObject>(
      (values, targetId) => withoutTarget(type.fields, values, targetId),
      content.fields,
    )
    const categories = content.categories.filter((id) => !gone.includes(id))
    await writeItem(call, tx, { place, type, previous, content: { ...content, fields, categories }, event })
    await turn()
  }
  return namedHolders(call, unset)
}
