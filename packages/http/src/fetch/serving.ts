import type { Cors } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import type { Limiter } from '../admission/limiter.ts'
import type { ReadForm } from '../bodies/form-parts.ts'
import type { Located } from '../routing/locate.ts'
import type { Base } from './base-path.ts'
import type { HandlerOptions, RequestContext } from './options.ts'
import type { Streams } from './streams.ts'
import type { ByteLength, IncomingRequest } from './transport.ts'

/** What all requests of a handler share. */
export interface Serving {
  readonly quire: Quire
  readonly options: HandlerOptions
  readonly base: Base
  readonly cors: Cors
  readonly limiter: Limiter
  readonly readForm: ReadForm
  readonly byteLength: ByteLength
  readonly streams: Streams
}

/** A request, and what it leads to. */
export interface Arriving {
  readonly incoming: IncomingRequest
  readonly located: Located
  readonly given: RequestContext | undefined
}
