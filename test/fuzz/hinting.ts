import type { FuzzOperation } from './operations.ts'
import type {
  KnownCategory,
  KnownDelivery,
  KnownFolder,
  KnownInSite,
  KnownItem,
  KnownPreset,
  KnownSecret,
  KnownType,
  Pool,
} from './pool.ts'
import type { KnownReview } from './prepare-reviews.ts'
import type { Random } from './random.ts'
import type { Sending } from './sending.ts'

/** What a request is made from. */
export interface Making {
  readonly operation: FuzzOperation
  readonly random: Random
  readonly pool: Pool
  readonly sending: Sending
}

/** A document with what is sent beside it. */
export interface GraphDocument {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string
}

/** What hints share: the same type for every member of a request. */
export interface Hinting extends Making {
  readonly type: KnownType | undefined
  readonly secret: KnownSecret | undefined
  readonly preset: KnownPreset | undefined
  readonly folder: KnownFolder | undefined
  readonly taxonomy: KnownFolder | undefined
  readonly category: KnownCategory | undefined
  readonly site: KnownFolder | undefined
  readonly section: KnownInSite | undefined
  readonly page: KnownInSite | undefined
  readonly delivery: KnownDelivery | undefined
  readonly review: KnownReview | undefined
  /** What a graph is asked. */
  readonly graph: GraphDocument | undefined
}

/** Proposes a value; undefined when there is none to propose. */
type Hint = (making: Hinting, item: KnownItem | undefined) => unknown

/** Hints by the name of the member. */
export type Hints = Readonly<Record<string, Hint>>
