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

/**
 * A group as `codec/route-text.ts` reads it. Its paths need not all have the same beginning, because
 * a line may be complete: the beginning is the one with which the lines are the shortest.
 */
function paragraph({ name, routes }) {
  const choices = beginningsOf(routes).map((beginning) => ({
    head: [name, beginning.slice('/api'.length)].filter(Boolean).join(' '),
    lines: shortened(routes.map((route) => lineOf(route, beginning))).join('\n'),
  }))
  const { head, lines } = choices.reduce((best, choice) =>
    choice.lines.length < best.lines.length ? choice : best,
  )
  return `${head}\n${lines}`
}

/** What the paths of a group begin with, in whole segments, from `/api`. */
function beginningsOf(routes) {
  const beginnings = routes.flatMap(({ path }) => {
    const segments = path.split('/')
    return segments.map((_, index) => segments.slice(0, index + 1).join('/'))
  })
  return [...new Set(['/api', ...beginnings])].filter((beginning) => isBelow(beginning, '/api'))
}

function isBelow(path, beginning) {
  return path === beginning || path.startsWith(`${beginning}/`)
}

function lineOf({ operation, method, path, isOnMain, body, answer }, beginning) {
  const below = isBelow(path, beginning) ? path.slice(beginning.length) : `/${path}`
  const words = [
    operation,
    method !== 'GET' && method,
    below.endsWith(`/${operation}`) && isBelow(path, beginning)
      ? `${below.slice(0, -operation.length)}*`
      : below,
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
