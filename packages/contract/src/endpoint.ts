import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { PermissionKey } from './permissions.ts'

/** The HTTP methods of the contract. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How a body travels. */
export type BodyForm = 'json' | 'form' | 'jsonOrMultipart'

/** Who may call: a key (or any one of several), any valid token, or everybody. */
export type Permission = PermissionKey | readonly PermissionKey[] | 'authenticated' | 'public'

/** Where an operation stands in HTTP. */
export interface Binding {
  readonly method: Method
  /** `/api/items/{configId}/{id}`: names in braces are members of the input. */
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
  readonly output: O
  /** Beside those that every operation can answer (`commonErrors`). */
  readonly errors: readonly ErrorCode[]
  /** Status of success. 204 answers without a body when there is no output, 200 when there is. */
  readonly success: 200 | 201 | 204
  /**
   * How the body travels: JSON, a form (`application/x-www-form-urlencoded`), or JSON alone or as the part `data` of
   * multipart/form-data.
   */
  readonly body: BodyForm
  /** A call that works and what it answers. */
  readonly example: { readonly input: z.input<I>; readonly output?: z.output<O> }
}

type Declared<I extends z.ZodObject, O extends z.ZodType> = Omit<
  Endpoint<I, O>,
  'method' | 'path' | 'packagePath' | 'body' | 'success'
> & {
  readonly binding: string | Binding
  readonly success?: 200 | 201 | 204
  readonly body?: BodyForm
}

/** Declares an endpoint. `binding` is `METHOD /path` or the answer of `onLine`. */
export function endpoint<I extends z.ZodObject, O extends z.ZodType>(
  declared: Declared<I, O>,
): Endpoint<I, O> {
  const { binding, ...rest } = declared
  const bound = typeof binding === 'string' ? parseBinding(binding) : binding
  return { success: 200, body: 'json', ...rest, ...bound }
}

/** A binding that exists twice: as given, and with `/_package/{packageName}` after the repository. */
export function onLine(text: string): Binding {
  const binding = parseBinding(text)
  const packagePath = binding.path.replace('{configId}', '{configId}/_package/{packageName}')
  return { ...binding, packagePath }
}

function parseBinding(text: string): Binding {
  const [method, path] = text.split(' ') as [Method, string]
  return { method, path }
}

/** The names in braces of a path. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}
