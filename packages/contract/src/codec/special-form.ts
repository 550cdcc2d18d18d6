import type { BytesIn } from '../api/bytes.ts'
import type { CallOptions } from '../api/call.ts'
import type { Method } from '../forms.ts'
import type { TokenError } from '../errors.ts'
import type { ReceivedResponse } from './received-response.ts'
import type { InvalidMember } from './invalid.ts'

/** What a special form makes of the members that the path does not name. */
export interface SpecialRequest {
  /** Default: the method of the route. */
  readonly method?: Method
  /** The query string, without its question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Members for the query string. */
  readonly search?: Readonly<Record<string, unknown>>
  /** A body of JSON. */
  readonly json?: unknown
  /** A body of `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, unknown>>
  /** A body of bytes. */
  readonly file?: BytesIn
  /** Whether JSON and bytes are the parts `data` and `file` of multipart/form-data. */
  readonly isForm?: true
}

/** The error of the token endpoint. */
export interface Refusal {
  readonly status: TokenError['status']
  readonly error: string
  readonly retryAfter: number | undefined
}

/** A form of requests and responses that few clients need. */
export interface SpecialForm {
  /** The options that are sent. Absent: all. */
  readonly options?: (options: CallOptions) => CallOptions
  readonly encode: (members: Readonly<Record<string, unknown>>, invalid: InvalidMember) => SpecialRequest
  /** The value of a response of success. Absent: it is that of its JSON. */
  readonly decode?: (method: Method, header: ReceivedResponse['header'], invalid: InvalidMember) => unknown
  /** What the error of a TokenError is made of, if the response is one. */
  readonly refusal?: (response: ReceivedResponse) => Refusal | undefined
}
