import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Route } from './codec/index.ts'
import { isStreamed } from './codec/route.ts'
import { contract } from './contract.ts'
import type { Endpoint } from './endpoint.ts'
import { routes } from './routes.ts'

/** The entry of an endpoint in the route table. */
function routeOf({ method, path, packagePath, body, answer }: Endpoint): Route {
  const branch = packagePath !== undefined && { packagePath }
  return { method, path, ...branch, body, ...(isStreamed({ answer }) && { answer }) }
}

it('is the table of the contract: run node --conditions=quire-source scripts/generate-routes.mjs', () => {
  const table = Object.entries(contract).map(([group, operations]) => [
    group,
    Object.fromEntries(
      Object.entries<Endpoint>(operations).map(([operation, endpoint]) => [operation, routeOf(endpoint)]),
    ),
  ])
  expect(routes).toEqual(Object.fromEntries(table))
})

it('has the types of the contract: run node --conditions=quire-source scripts/generate-routes.mjs', () => {
  const text = readFileSync(join(import.meta.dirname, 'route-kinds.ts'), 'utf8')
  const written = text.matchAll(/^ {4}readonly '?(?<kind>[A-Z a-z]+)'?: (?<operations>.+)$/gm)
  const kinds = [...written].flatMap(({ groups }) =>
    (groups?.['operations'] ?? '').split(' | ').map((operation) => `${groups?.['kind']} ${operation}`),
  )
  const declared = Object.values(contract).flatMap((operations) =>
    Object.entries<Endpoint>(operations).map(([operation, { method, answer }]) =>
      [method, isStreamed({ answer }) && answer, `'${operation}'`].filter(Boolean).join(' '),
    ),
  )
  expect(kinds.toSorted()).toEqual(declared.toSorted())
})
