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
