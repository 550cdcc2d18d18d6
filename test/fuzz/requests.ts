import { draftOf } from './draft.ts'
import { encode, type WireRequest } from './encode.ts'
import { malformedRequest } from './malformed.ts'
import { mutate } from './mutate.ts'
import { operations, type FuzzOperation } from './operations.ts'
import type { Pool } from './pool.ts'
import { randomOf, type Random } from './random.ts'

/** A request of the fuzz. */
export interface FuzzRequest {
  readonly index: number
  readonly operation: FuzzOperation | undefined
  /** The id that the path names. */
  readonly named: string
  readonly wire: WireRequest
}

/** What requests are made from. */
export interface Source {
  readonly seed: number
  readonly pool: Pool
  readonly token: string
}

// Of a hundred requests this many are no HTTP at all, and of the others this many are left as they should be.
const malformedShare = 0.02
const validShare = 0.45

/** The request of this number: the same for the same seed, but for the ids that the pool holds by then. */
export function requestOf({ seed, pool, token }: Source, index: number): FuzzRequest {
  const random = randomOf(seed, index)
  if (random.chance(malformedShare))
    return { index, operation: undefined, named: '', wire: malformedRequest(random) }
  const operation = pickOperation(random)
  const draft = draftOf({ operation, random, pool }, token)
  if (!random.chance(validShare)) mutate(draft, random)
  return {
    index,
    operation,
    named: draft.params.get('id') ?? draft.params.get('packageName') ?? '',
    wire: encode(draft, operation.id, random),
  }
}

/** Creates and lists more often than others: what is created is what others work on. */
function pickOperation(random: Random): FuzzOperation {
  const wanted = random.chance(0.2)
    ? operations.filter(({ id }) => /^items\.(create|list)/.test(id))
    : operations
  return random.pick(wanted) ?? raiseNone()
}

function raiseNone(): never {
  throw new Error('the document has no operations')
}
