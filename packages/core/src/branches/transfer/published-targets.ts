import type { ImportRefusal } from '@quire/contract'
import { asContent, emptyContent } from '../../content/items/content.ts'
import { targetProblem } from '../../content/items/publish.ts'
import { isLive } from '../../content/merge/entity.ts'
import { targetsOf, type Target } from '../../content/types/derived.ts'
import { typeOf } from '../../content/types/find.ts'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, JsonObject } from '../../ports/index.ts'
import { headsOf, refKey } from '../packages/sides.ts'
import { publicPast } from './incoming.ts'
import type { IncomingChange } from './plan-page.ts'

// Shared by all that have neither a file nor a taxonomy: a file may have millions.
const plain: JsonObject = {}

/** What `targetProblem` looks at. */
type Known = Pick<Entity, 'type' | 'deletedDate' | 'body'>

/** A reference of published content to what main does not have. */
interface Unmet {
  readonly at: string
  readonly id: string
  readonly target: Target
}

/**
 * What the published content of a file refers to. A target may come later in the file, so whether
 * it exists is known at the end of the plan.
 */
export class PublishedTargets {
  readonly #main: Scope
  readonly #brought = new Map<string, Known>()
  readonly #unmet: Unmet[] = []

  constructor(main: Scope) {
    this.#main = main
  }

  async addPage(call: Call, changes: readonly IncomingChange[]): Promise<void> {
    for (const { head, merged } of changes)
      if (isLive(merged)) this.#brought.set(refKey(head), knownOf(head.type, merged.content))
    const all: Unmet[] = []
    for (const change of changes) all.push(...(await targetsOfPublished(call, change)))
    const heads = await headsOf(
      call.store.entities,
      this.#main.branch,
      all.map(({ target }) => target),
    )
    for (const unmet of all) {
      const { target } = unmet
      if (targetProblem(target, heads.get(refKey(target)) ?? null) !== null) this.#unmet.push(unmet)
    }
  }

  /** The references whose target is neither on main nor in the file, or is of the wrong kind. */
  *refusals(): Generator<ImportRefusal> {
    for (const { at, id, target } of this.#unmet) {
      const problem = targetProblem(target, this.#brought.get(refKey(target)) ?? null)
      if (problem !== null) yield { at, id, path: target.path, message: `cannot be published: ${problem}` }
    }
  }
}

/** The references of what a change publishes on main that is not published there yet. */
async function targetsOfPublished(
  call: Call,
  { head, mainHead, merged, incoming }: IncomingChange,
): Promise<readonly Unmet[]> {
  if (head.kind !== 'item' || !isLive(merged)) return []
  const contents = [
    ...(merged.published === 'head' ? [merged.content] : []),
    ...(incoming.published && mainHead === null ? [incoming.published] : []),
    ...publicPast(incoming).map(({ content }) => content),
  ]
  if (contents.length === 0) return []
  const { fields } = await typeOf(call, head)
  return contents
    .flatMap((content) => targetsOf(fields, asContent(content, emptyContent).fields))
    .map((target) => ({ at: incoming.at, id: head.id, target }))
}

function knownOf(type: string, { asset = null, taxonomyId = null }: JsonObject): Known {
  return {
    type,
    deletedDate: null,
    body: asset === null && taxonomyId === null ? plain : { asset, taxonomyId },
  }
}
