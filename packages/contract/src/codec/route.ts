import type { AnswerForm, BodyForm, Method } from '../endpoint.ts'

/** What HTTP needs to know of an endpoint. An `Endpoint` is one, and so is every entry of the generated route table. */
export interface Route {
  readonly method: Method
  /** `/api/items/{configId}/{id}`: names in braces are members of the input. */
  readonly path: string
  /** The same on the line of a package: chosen when the input has `packageName`. */
  readonly packagePath?: string
  readonly body: BodyForm
  readonly answer?: AnswerForm
  readonly success: 200 | 201 | 202 | 204
}

/** Whether members travel in the query string rather than in the body; those of TUS travel in headers. */
export function usesQuery(route: Route): boolean {
  return route.method === 'GET' || route.method === 'DELETE' || route.body === 'file'
}

/** Whether an answer is read while it comes: bytes, events, or what others answered. */
export function isStreamed({ answer }: { readonly answer?: AnswerForm | undefined }): boolean {
  return answer === 'bytes' || answer === 'events' || answer === 'passed'
}
