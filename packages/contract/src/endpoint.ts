import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { AnswerForm, BodyForm, Method } from './forms.ts'
import { onPackage } from './on-package.ts'
import type { PermissionKey } from './permissions.ts'

/**
 * Where a caller must hold a permission key:
 * - `global`: everywhere. Checked before the operation starts.
 * - `repository`: on the repository that the input names, or in the package that it names.
 * - `type`: on the content type that the input names, in its repository.
 * - `item`: on the content type of the item that the input names; its role lists count too.
 * - `site`: on the site that the input names, or on its repository.
 * - `each`: on each thing that the operation lists, or that it finds by an id alone.
 */
export type PermissionTarget = 'global' | 'repository' | 'type' | 'item' | 'site' | 'each'

/**
 * What an operation does to the site, the item or the items of a type that its permission is about.
 * `delete` and `undelete` are limited by the item's `deletePerm`, `change` by its `writePerm`;
 * `copy` leaves the item as it is and needs only to read it.
 */
export type PermissionAct = 'create' | 'change' | 'delete' | 'undelete' | 'copy'

/** A permission key, or several of which the caller needs one, and where the caller must hold it. */
export interface KeyPermission {
  readonly key: PermissionKey | readonly PermissionKey[]
  readonly on: PermissionTarget
  /**
   * For operations that write, on a `type`, `item` or `site`. The operation is then one transaction,
   * in which its target is found and the caller is checked. Absent: it only reads its target.
   */
  readonly to?: PermissionAct
  /**
   * Whether it is enough to hold the key in one locale of the repository. The operation then refuses
   * every change outside the locales in which the caller holds it. Default: no.
   */
  readonly byLocale?: true
}

/**
 * Who may call: holders of a key, anyone with a valid token, or everybody. `published`: everybody
 * if the repository is public, otherwise only callers who may read it (specification 5.4).
 */
export type Permission = KeyPermission | 'authenticated' | 'published' | 'public'

/** The keys of which a caller needs one. Empty if the permission names none. */
export function permissionKeysOf(permission: Permission): readonly PermissionKey[] {
  if (typeof permission === 'string') return []
  return typeof permission.key === 'string' ? [permission.key] : permission.key
}

/** The HTTP method and path of an operation. */
export interface Binding {
  readonly method: Method
  /** `/api/items/{configId}/{id}`: names in braces are members of the input (see `pathName`). */
  readonly path: string
  /** The path on the branch of a package. Used when the input has `packageName`. */
  readonly packagePath?: string
}

/**
 * The declaration of one operation. Its route, client method, in-process method, OpenAPI
 * description, mock and reference are all made from it.
 */
export interface Endpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  P extends Permission = Permission,
> extends Binding {
  readonly summary: string
  readonly description?: string
  readonly permission: P
  /**
   * A flat object. Members named in the path go there, the others into the query (GET, DELETE) or
   * the body.
   */
  readonly input: I
  /** For an operation that streams events: one event. */
  readonly output: O
  /** The operation's own errors, in addition to the errors of every operation (`commonErrors`). */
  readonly errors: readonly ErrorCode[]
  /**
   * Status of success. 202: the work continues in the background, and the response says how far it
   * is. 204: no body; if there is output after all, the status is 200.
   */
  readonly success: 200 | 201 | 202 | 204
  /**
   * How the request body is sent:
   * - `json`: JSON.
   * - `form`: `application/x-www-form-urlencoded`.
   * - `multipart`: multipart/form-data, with the JSON in the part `data` and the member `file` in
   *   its own part.
   * - `jsonOrMultipart`: JSON, or parts as with `multipart`.
   * - `file`: the bytes of the member `file`; the other members are in the query string.
   * - `ids`: the member `ids` as a JSON array.
   * - `tus`: in headers, as the TUS protocol defines it.
   * - `signed`: JSON whose text is signed; `apiKey` and `signature` are in headers
   *   (`credentialHeaders`).
   * - `message`: a request to proxy. The members `method`, `query`, `headers` and `body` are its
   *   method
   *   (`proxiedMethods`), query string, headers and body.
   */
  readonly body: BodyForm
  /** Most bytes of a body that is read as a whole. Default: `limits.bodyBytes`. */
  readonly bodyBytes?: number
  readonly answer: AnswerForm
  /**
   * Whether the operation calls another service before it responds. It is then not a single
   * transaction, and stores its response to an Idempotency-Key itself.
   */
  readonly asksOthers?: boolean
  /**
   * Whether the operation fetches a file of any size before it responds. It then has time limits of
   * its own instead of the one of every response, and ends when the caller goes away.
   */
  readonly fetchesFile?: boolean
  /**
   * Whether the operation itself answers a dry run: it reads more than a transaction may wait for,
   * and writes nothing then. Every other dry run is a transaction that is rolled back.
   */
  readonly plansItself?: boolean
  /**
   * Whether the operation also runs while the disk has less free space than must stay free: because
   * it frees space, or needs next to none and cannot wait. Reads and deletes always run.
   */
  readonly withoutRoom?: boolean
  /** A call that works and its output; for a stream of events, one event. */
  readonly example: { readonly input: z.input<I>; readonly output?: z.output<O> }
}

/**
 * An operation that streams events as they happen. The header `Last-Event-ID` sets the member
 * `lastEventId` of its input.
 */
export interface EventsEndpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  P extends Permission = Permission,
> extends Endpoint<I, O, P> {
  readonly answer: 'events'
}

type Declared<I extends z.ZodObject, O extends z.ZodType, P extends Permission> = Omit<
  Endpoint<I, O, P>,
  'method' | 'path' | 'packagePath' | 'body' | 'success' | 'answer'
> & {
  readonly binding: string | Binding
  readonly success?: 200 | 201 | 202 | 204
  readonly body?: BodyForm
  readonly answer?: AnswerForm
}

/** Declares an endpoint. `binding` is `METHOD /path` or the result of `onBranch`. */
export function endpoint<I extends z.ZodObject, O extends z.ZodType, const P extends Permission>(
  declared: Declared<I, O, P> & { readonly answer: 'events' },
): EventsEndpoint<I, O, P>
export function endpoint<I extends z.ZodObject, O extends z.ZodType, const P extends Permission>(
  declared: Declared<I, O, P>,
): Endpoint<I, O, P>
export function endpoint<I extends z.ZodObject, O extends z.ZodType, const P extends Permission>(
  declared: Declared<I, O, P>,
): Endpoint<I, O, P> {
  const { binding, ...rest } = declared
  const bound = typeof binding === 'string' ? parseBinding(binding) : binding
  return { success: 200, body: 'json', answer: 'json', ...rest, ...bound }
}

/** A binding with two paths: as given, and with `/_package/{packageName}` after the repository. */
export function onBranch(text: string): Binding {
  const binding = parseBinding(text)
  return { ...binding, packagePath: onPackage(binding.path) }
}

function parseBinding(text: string): Binding {
  const [method, path] = text.split(' ') as [Method, string]
  return { method, path }
}

/**
 * A name in braces in a path. With `*` it matches the rest of the path, which may contain slashes
 * or be empty: `/sites/{siteSlug}/{path*}`.
 */
export const pathName = /\{(\w+)(\*?)\}/g

/** The names in braces in a path. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(pathName)].map((match) => match[1] ?? '')
}

/** Whether an endpoint ignores unknown members (`publicAddressInput`). */
export function ignoresUnknown(input: z.ZodObject): boolean {
  return input.def.catchall === undefined
}
