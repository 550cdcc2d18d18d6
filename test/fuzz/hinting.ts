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

/** The input for building a request. */
export interface Making {
  readonly operation: FuzzOperation
  readonly random: Random
  readonly pool: Pool
  readonly sending: Sending
}

/** A document with its variables. */
export interface GraphDocument {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string
}

/** Shared by the hints for one request, so that all members use the same type. */
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
  /** The GraphQL document of the request. */
  readonly graph: GraphDocument | undefined
}

/** Proposes a value; undefined for no proposal. */
type Hint = (making: Hinting, item: KnownItem | undefined) => unknown

/** Hints by member name. */
export type Hints = Readonly<Record<string, Hint>>
