import { expect, it } from 'vitest'
import { endpoints } from '../contract.ts'
import { isStreamed } from './route.ts'
import { routeOf, routeText } from './route-text.ts'

it.each(endpoints.map(({ group, operation, endpoint }) => [`${group}.${operation}`, endpoint] as const))(
  '%s survives the round trip through its text',
  (_, { method, path, packagePath, body, answer }) => {
    const branch = packagePath !== undefined && { packagePath }
    const route = { method, path, ...branch, body, ...(isStreamed({ answer }) && { answer }) }
    expect(routeOf(routeText(route))).toEqual(route)
  },
)
