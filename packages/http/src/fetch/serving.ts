import type { Cors } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import type { Admission } from '../admission/admission.ts'
import type { Load } from '../admission/load.ts'
import type { Located } from '../routing/locate.ts'
import type { Base } from './base-path.ts'
import type { FetchHandlerOptions, RequestContext } from './options.ts'
import type { Streams } from './streams.ts'
import type { IncomingRequest } from './transport.ts'

/** What all requests of a handler share. */
export interface Serving {
  readonly quire: Quire
  readonly options: FetchHandlerOptions
  readonly base: Base
  readonly cors: Cors
  readonly load: Load
  readonly admission: Admission
  readonly streams: Streams
}

/** A request, and what it leads to. */
export interface Arriving {
  readonly incoming: IncomingRequest
  readonly located: Located
  readonly given: RequestContext | undefined
}
