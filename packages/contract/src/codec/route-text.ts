import type { BodyForm, Method } from '../forms.ts'
import { onPackage } from '../on-package.ts'
import { isStreamed, type Route } from './route.ts'

/**
 * A route as a short text, because every client loads all routes: method and path, then words for
 * what differs from the defaults. `package`: it also has a package path; `bytes`, `events`, `proxied`:
 * the form of its response; any other word: the form of its body.
 */
export function routeText({ method, path, packagePath, body, answer }: Route): string {
  const words = [
    method,
    path,
    packagePath !== undefined && 'package',
    body !== 'json' && body,
    isStreamed({ answer }) && answer,
  ]
  return words.filter(Boolean).join(' ')
}

/** The route that a text from `routeText` describes. */
export function routeOf(text: string): Route {
  const [method, path = '', ...words] = text.split(' ')
  const body = words.find((word) => !/^(package|bytes|events|proxied)$/.test(word)) ?? 'json'
  const answer = words.find((word) => word === 'bytes' || word === 'events' || word === 'proxied')
  return {
    method: method as Method,
    path,
    ...(words.includes('package') && { packagePath: onPackage(path) }),
    body: body as BodyForm,
    ...(answer && { answer }),
  }
}

/**
 * The texts of the five usual routes: list, read, create, change and delete. `own` is the path of
 * one entity, followed by `package` if it also has a package path.
 */
export function crudTexts(own: string): Readonly<Record<Crud, string>> {
  const [path = '', branch] = own.split(' ')
  const all = path.slice(0, path.lastIndexOf('/'))
  const text = (...words: readonly (string | undefined)[]) => words.filter(Boolean).join(' ')
  return {
    list: text('GET', all, branch),
    get: text('GET', path, branch),
    create: text('POST', all, branch),
    update: text('PATCH', path, branch),
    delete: text('DELETE', path, branch),
  }
}

type Crud = 'list' | 'get' | 'create' | 'update' | 'delete'

/** Route texts by operation; `crud` stands for the five usual ones. */
type PathParts = { readonly crud?: string; readonly [operation: string]: string | undefined }

type RoutesOf<L extends PathParts> = {
  readonly [O in Exclude<keyof L, 'crud'> | (L extends { crud: string } ? Crud : never)]: TypedRoute<
    O extends keyof L ? L[O] : CrudMethods[O & Crud]
  >
}

interface CrudMethods {
  readonly list: 'GET '
  readonly get: 'GET '
  readonly create: 'POST '
  readonly update: 'PATCH '
  readonly delete: 'DELETE '
}

/** A route whose type tells its method and whether its response is a stream. */
type TypedRoute<T> = Route & {
  readonly method: T extends `${infer M extends Method} ${string}` ? M : Method
  readonly answer?: T extends `${string} ${StreamedForm}` ? StreamedForm : never
}

type StreamedForm = 'bytes' | 'events' | 'proxied'

/** The routes of a table of texts. */
export function routesOf<const T extends { readonly [group: string]: PathParts }>(
  table: T,
): { readonly [G in keyof T]: RoutesOf<T[G]> } {
  const groups = Object.entries(table).map(([group, { crud, ...paths }]) => {
    const texts = { ...(crud !== undefined && crudTexts(crud)), ...paths }
    return [
      group,
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, routeOf(text ?? '')])),
    ]
  })
  // The same names, with a route instead of each text.
  return Object.fromEntries(groups) as { [G in keyof T]: RoutesOf<T[G]> }
}
