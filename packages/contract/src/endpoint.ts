import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import { onPackage } from './on-package.ts'
import type { PermissionKey } from './permissions.ts'

/** The HTTP methods of the contract. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a body travels. */
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
 * How an answer travels: as JSON, as the bytes themselves, as events while they happen (Server-Sent Events), or, to a browser that
 * navigates, as the address to go to; or as GraphQL over HTTP has it, which a client that takes JSON sees as JSON; or as others
 * gave it (`Proxied`).
 */
export type AnswerForm = 'json' | 'bytes' | 'events' | 'redirect' | 'graphql' | 'passed'

/**
 * Who may call: a key (or any one of several), any valid token, or everybody. `published`: everybody where the repository is public,
 * elsewhere who may read it (specification 5.4).
 */
export type Permission = PermissionKey | readonly PermissionKey[] | 'authenticated' | 'published' | 'public'

/** Where an operation stands in HTTP. */
export interface Binding {
  readonly method: Method
  /** `/api/items/{configId}/{id}`: names in braces are members of the input (see `pathName`). */
  readonly path: string
  /** The same on the line of a package: chosen when the input has `packageName`. */
  readonly packagePath?: string
}

/** One operation of the contract, declared once: route, client method, in-process method, OpenAPI, mock and reference come from it. */
export interface Endpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends Binding {
  readonly summary: string
  readonly description?: string
  readonly permission: Permission
  /** Flat: members named in the path go there, the others to the query (GET, DELETE) or the body. */
  readonly input: I
  /** Of what answers events: one of them. */
  readonly output: O
  /** Beside those that every operation can answer (`commonErrors`). */
  readonly errors: readonly ErrorCode[]
  /** Status of success. 202 answers how far the work is that goes on; 204 without a body when there is no output, 200 when there is. */
  readonly success: 200 | 201 | 202 | 204
  /**
   * How the body travels: JSON; a form (`application/x-www-form-urlencoded`); JSON alone or as the part `data` of
   * multipart/form-data, there with the member `file` as a part of its own; the same in parts only; the bytes of the member `file`
   * (the others in the query string); the list of the member `ids` as a JSON array; as the TUS protocol has it, in headers; or JSON whose text
   * is signed, the members `apiKey` and `signature` in headers (`credentialHeaders`); or a
   * message as it is passed on to others, whose members `method`, `query`, `headers` and `body` are what their names say (`proxiedMethods`).
   */
  readonly body: BodyForm
  /** Bytes of a body that is read as a whole. Default: `limits.bodyBytes`. */
  readonly bodyBytes?: number
  readonly answer: AnswerForm
  /** Whether others are asked before it answers: it is no one transaction then, and keeps what it answered to an Idempotency-Key itself. */
  readonly asksOthers?: boolean
  /**
   * Whether it is done also while the disk has less free than must stay so: it gives room back, or takes next to none and cannot wait. So does all that only
   * reads, and all that deletes.
   */
  readonly withoutRoom?: boolean
  /** A call that works and what it answers, or one of the events. */
  readonly example: { readonly input: z.input<I>; readonly output?: z.output<O> }
}

/** An operation that answers events while they happen. A member `lastEventId` of its input also comes as the header `Last-Event-ID`. */
export interface EventsEndpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> extends Endpoint<I, O> {
  readonly answer: 'events'
}

type Declared<I extends z.ZodObject, O extends z.ZodType> = Omit<
  Endpoint<I, O>,
  'method' | 'path' | 'packagePath' | 'body' | 'success' | 'answer'
> & {
  readonly binding: string | Binding
  readonly success?: 200 | 201 | 202 | 204
  readonly body?: BodyForm
  readonly answer?: AnswerForm
}

/** Declares an endpoint. `binding` is `METHOD /path` or the answer of `onBranch`. */
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(
  declared: Declared<I, O> & { readonly answer: 'events' },
): EventsEndpoint<I, O>
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(declared: Declared<I, O>): Endpoint<I, O>
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(
  declared: Declared<I, O>,
): Endpoint<I, O> {
  const { binding, ...rest } = declared
  const bound = typeof binding === 'string' ? parseBinding(binding) : binding
  return { success: 200, body: 'json', answer: 'json', ...rest, ...bound }
}

/** A binding that exists twice: as given, and with `/_package/{packageName}` after the repository. */
export function onBranch(text: string): Binding {
  const binding = parseBinding(text)
  return { ...binding, packagePath: onPackage(binding.path) }
}

function parseBinding(text: string): Binding {
  const [method, path] = text.split(' ') as [Method, string]
  return { method, path }
}

/** A name in braces of a path; with `*` it stands for all that follows, slashes and nothing too: `/sites/{siteSlug}/{path*}`. */
export const pathName = /\{(\w+)(\*?)\}/g

/** The names in braces of a path. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(pathName)].map((match) => match[1] ?? '')
}

/** Whether an endpoint ignores what it does not know (`publicAddressInput`). */
export function ignoresUnknown(input: z.ZodObject): boolean {
  return input.def.catchall === undefined
}
