/**
 * Writes the HTTP route of each endpoint from the contract, without zod: packages/contract/src/routes.ts,
 * and what their types tell, packages/contract/src/route-kinds.ts.
 * Run: node --conditions=quire-source scripts/generate-routes.mjs
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = join(dirname(import.meta.dirname), 'packages/contract')
const { resolve } = createRequire(join(folder, 'package.json'))
const { contract } = await import(pathToFileURL(resolve('@quire/contract')).href)

const made = '// Generated from the contract by scripts/generate-routes.mjs: do not edit.'
const groups = Object.entries(contract).map(([name, operations]) => ({ name, routes: routesOf(operations) }))

write(
  'routes.ts',
  `${made}
import { routesOf } from './codec/route-text.ts'
import type { TypedRoutes } from './codec/typed-route.ts'
import type { RouteKinds } from './route-kinds.ts'

/** The HTTP route of each endpoint: \`routes.<group>.<operation>\`. Has no schemas, so that a browser loads none. */
export const routes = routesOf(\`
${groups.map(paragraph).join('\n\n')}
\`) as unknown as TypedRoutes<RouteKinds>
`,
)

write(
  'route-kinds.ts',
  `${made}

/** The operations of each group, by method and by the form of a response that is streamed. */
export interface RouteKinds {
${groups.map(kinds).join('\n')}
}
`,
)

function write(name, text) {
  writeFileSync(join(folder, 'src', name), text)
}

function routesOf(operations) {
  return Object.entries(operations).map(([operation, { method, path, packagePath, body, answer }]) => {
    const isStreamed = answer === 'bytes' || answer === 'events' || answer === 'proxied'
    const isOnMain = path.includes('{configId}') && packagePath === undefined
    return { operation, method, path, isOnMain, body, answer: isStreamed ? answer : undefined }
  })
}

function kinds({ name, routes }) {
  const byKind = Map.groupBy(routes, ({ method, answer }) => (answer ? `'${method} ${answer}'` : method))
  const members = [...byKind].map(
    ([kind, those]) => `    readonly ${kind}: ${those.map(({ operation }) => `'${operation}'`).join(' | ')}`,
  )
  return `  readonly ${name}: {\n${members.join('\n')}\n  }`
}

/** A group as `codec/route-text.ts` reads it. */
function paragraph({ name, routes }) {
  const beginning = commonBeginning(routes.map(({ path }) => path).filter(isBelowApi))
  const lines = shortened(routes.map((route) => lineOf(route, beginning)))
  return [[name, beginning.slice('/api'.length)].filter(Boolean).join(' '), ...lines].join('\n')
}

function isBelowApi(path) {
  return path.startsWith('/api/')
}

/** What paths have in common, in whole segments. */
function commonBeginning(paths) {
  const segments = paths.map((path) => path.split('/'))
  const [first] = segments
  const length = first.findIndex((segment, index) => segments.some((other) => other[index] !== segment))
  return (length === -1 ? first : first.slice(0, length)).join('/')
}

function lineOf({ operation, method, path, isOnMain, body, answer }, beginning) {
  const below = isBelowApi(path) ? path.slice(beginning.length) : `/${path}`
  const words = [
    operation,
    method !== 'GET' && method,
    below.endsWith(`/${operation}`) && isBelowApi(path) ? `${below.slice(0, -operation.length)}*` : below,
    isOnMain && 'main',
    body !== 'json' && body,
    answer && `>${answer}`,
  ]
  return words.filter(Boolean).join(' ')
}

/** Replaces the five usual operations by one line, if all of them are as usual. */
function shortened(lines) {
  const own = lines.find((line) => line.startsWith('get /'))?.slice('get '.length) ?? ''
  const all = own.replace(/\/\{\w+\}(?= |$)/, '')
  const usual = [
    `list ${all}`,
    `get ${own}`,
    `create POST ${all}`,
    `update PATCH ${own}`,
    `delete DELETE ${own}`,
  ].map((line) => line.trim().replaceAll('  ', ' '))
  if (!usual.every((line) => lines.includes(line))) return lines
  return [`crud ${own}`, ...lines.filter((line) => !usual.includes(line))]
}
