import type { BodyForm, Method } from '../endpoint.ts'
import { onPackage } from '../on-package.ts'
import type { Route } from './route.ts'

/**
 * A route as one line, short because every client loads all of them: method and path, then what is not usual. `line`: it exists on packages
 * too; `bytes`: it answers bytes; a number: its status of success; another word: how its body travels.
 */
export function routeText({ method, path, packagePath, body, answer, success }: Route): string {
  const words = [
    method,
    path,
    packagePath !== undefined && 'line',
    body !== 'json' && body,
    answer === 'bytes' && 'bytes',
    success !== 200 && success,
  ]
  return words.filter(Boolean).join(' ')
}

/** The route that such a line says. */
export function routeOf(text: string): Route {
  const [method, path = '', ...words] = text.split(' ')
  const body = words.find((word) => !/^(line|bytes|\d+)$/.test(word)) ?? 'json'
  return {
    method: method as Method,
    path,
    ...(words.includes('line') && { packagePath: onPackage(path) }),
    body: body as BodyForm,
    ...(words.includes('bytes') && { answer: 'bytes' }),
    success: Number(words.find((word) => /^\d+$/.test(word)) ?? 200) as Route['success'],
  }
}

type Texts = { readonly [group: string]: { readonly [operation: string]: string } }

/** The routes of a table of lines. */
export function routesOf<T extends Texts>(
  texts: T,
): { readonly [G in keyof T]: { readonly [O in keyof T[G]]: Route } } {
  const groups = Object.entries(texts).map(([group, lines]) => [
    group,
    Object.fromEntries(Object.entries(lines).map(([operation, text]) => [operation, routeOf(text)])),
  ])
  // The same names with a route in place of each line.
  return Object.fromEntries(groups) as { [G in keyof T]: { [O in keyof T[G]]: Route } }
}
