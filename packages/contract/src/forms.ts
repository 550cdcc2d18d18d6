/** The HTTP methods of the contract. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How the request body is sent. See `Endpoint.body`. */
export type BodyForm =
  | 'json'
  | 'form'
  | 'jsonOrMultipart'
  | 'multipart'
  | 'file'
  | 'ids'
  | 'tus'
  | 'signed'
  | 'message'

/**
 * How the response is sent:
 * - `json`: JSON.
 * - `bytes`: the bytes themselves.
 * - `events`: events as they happen (Server-Sent Events).
 * - `redirect`: a redirect for a browser that navigates, JSON with the address for everyone else.
 * - `graphql`: as GraphQL over HTTP defines it; a client that accepts JSON gets JSON.
 * - `proxied`: the response of an upstream (`Proxied`).
 */
export type AnswerForm = 'json' | 'bytes' | 'events' | 'redirect' | 'graphql' | 'proxied'
