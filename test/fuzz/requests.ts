import { draftOf } from './draft.ts'
import { encode, type WireRequest } from './encode.ts'
import { malformedRequest } from './malformed.ts'
import { mutate } from './mutate.ts'
import { operations, type FuzzOperation } from './operations.ts'
import type { Pool } from './pool.ts'
import { randomOf, type Random } from './random.ts'
import { sendingOf } from './sending.ts'

/** A request of the fuzz. */
export interface FuzzRequest {
  readonly index: number
  readonly operation: FuzzOperation | undefined
  /** The id or name in the path. */
  readonly named: string
  readonly wire: WireRequest
}

/** The input for building requests. */
export interface Source {
  readonly seed: number
  readonly pool: Pool
  readonly token: string
}

// The share of requests that are malformed HTTP, and the share of the others that are not spoiled.
const malformedShare = 0.02
const validShare = 0.45

/**
 * Builds the request with this number. It is the same for the same seed, except for the ids that
 * the pool contains at that time.
 */
export function requestOf({ seed, pool, token }: Source, index: number): FuzzRequest {
  const random = randomOf(seed, index)
  if (random.chance(malformedShare))
    return { index, operation: undefined, named: '', wire: malformedRequest(random) }
  const operation = pickOperation(random)
  const sending = sendingOf({ operation, random, pool })
  const draft = draftOf({ operation, random, pool, sending }, token)
  if (!random.chance(validShare)) mutate(draft, random)
  return {
    index,
    operation,
    named: nameIn(draft.params),
    wire: encode(draft, operation.id, random),
  }
}

function nameIn(params: ReadonlyMap<string, string>): string {
  const name = ['id', 'assetId', 'uploadId', 'name', 'packageName'].find((each) => params.has(each))
  return params.get(name ?? '') ?? ''
}

// Operations that are chosen more often: created entities are needed by other requests, and files
// can be spoiled in many ways.
const favoured: readonly (readonly [share: number, ids: RegExp])[] = [
  [0.2, /^items\.(create|list)/],
  [0.13, /^(assets|uploads|renditions)\./],
  [0.04, /^assets\.get/],
  [0.015, /^graphql\.(execute|query)/],
]

function pickOperation(random: Random): FuzzOperation {
  let rest = random.next()
  const found = favoured.find(([share]) => (rest -= share) < 0)
  const wanted = found ? operations.filter(({ id }) => found[1].test(id)) : operations
  return random.pick(wanted) ?? raiseNone()
}

function raiseNone(): never {
  throw new Error('the OpenAPI document has no operations')
}
