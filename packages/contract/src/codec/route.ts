import type { AnswerForm, BodyForm, Method } from '../forms.ts'

/**
 * What HTTP needs to know about an endpoint. Both an `Endpoint` and an entry of the generated route
 * table are routes.
 */
export interface Route {
  readonly method: Method
  /** `/api/items/{configId}/{id}`: names in braces are members of the input. */
  readonly path: string
  /** The path on the branch of a package. Used when the input has `packageName`. */
  readonly packagePath?: string
  readonly body: BodyForm
  readonly answer?: AnswerForm | undefined
}

/** Whether a response is read as a stream: bytes, events, or the response of an upstream. */
export function isStreamed({ answer }: { readonly answer?: AnswerForm | undefined }): boolean {
  return answer === 'bytes' || answer === 'events' || answer === 'proxied'
}
