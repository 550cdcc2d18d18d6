import type { Hints } from './hinting.ts'
import { toJson } from './json-text.ts'
import { preparedPackage } from './prepare.ts'

/** Hints for GraphQL requests: documents for the known types, with their variables. */
export const graphHints: Hints = {
  configId: ({ operation, random, pool }) =>
    operation.id.endsWith('InPackage') || random.chance(0.85)
      ? pool.magazine
      : pool.repositories.pick(random),
  packageName: () => preparedPackage,
  query: ({ graph }) => graph?.query,
  variables: ({ operation, graph }) =>
    operation.method === 'GET' ? toJson(graph?.variables ?? {}) : graph?.variables,
  operationName: ({ graph }) => graph?.operationName,
  extensions: ({ operation }) => (operation.method === 'GET' ? '{}' : {}),
}
