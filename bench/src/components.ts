import type { Profile, ProfileNode } from './profiler.ts'

/** Assigns sources to components. The first match counts. */
const components: readonly (readonly [component: string, source: RegExp])[] = [
  ['SQLite: statements, rows, commits', /better-sqlite3|store-sqlite\/src\/sqlite-driver/],
  ['store: ports over SQL', /packages\/store-sql|drizzle-orm/],
  ['parse: zod and the checks before it', /\/zod\/|core\/src\/engine\/check-input/],
  ['codec: request, query string, answer', /contract\/src\//],
  [
    'authorise: token, account, permissions',
    /core\/src\/(?:people\/auth|engine\/access)\/|lru-cache|server\/src\/http\/authentication/,
  ],
  ['operation: items and types', /core\/src\/content\//],
  ['GraphQL: schema, execution', /core\/src\/delivery\/graphql\/|\/graphql(?:-http)?@|dataloader/],
  ['pipeline: run, call, memo', /core\/src\//],
  ['log', /\/pino|sonic-boom|server\/src\/log|request-log/],
  ['routes and guard', /packages\/server\//],
  ['framework: Fastify and its router', /fastify|find-my-way|avvio/],
  ['random ids', /node:internal\/crypto|\/ulid\//],
  ['Node: HTTP, streams, promises', /^node:/],
]

const natives: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  writeUtf8String: 'write to the socket',
  writeLatin1String: 'write to the socket',
  writeBuffer: 'write to the socket',
  writev: 'write to the socket',
}

/**
 * Microseconds of a profile by component, without idle time. Native functions count as their
 * caller.
 */
export function componentsOf({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const named = nameNodes(nodes)
  const totals = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const component = named.get(id)
    if (component === undefined) continue
    totals.set(component, (totals.get(component) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return totals
}

/** Maps each function to its component. Idle time has none. */
function nameNodes(nodes: readonly ProfileNode[]): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const named = new Map<number, string>()
  const visit = (node: ProfileNode, caller: string) => {
    const component = nameOf(node, caller)
    if (node.callFrame.functionName !== '(idle)') named.set(node.id, component)
    for (const child of node.children ?? []) {
      const called = byId.get(child)
      if (called) visit(called, component)
    }
  }
  const [root] = nodes
  if (root) visit(root, 'the rest')
  return named
}

function nameOf({ callFrame: { functionName, url } }: ProfileNode, caller: string): string {
  if (url === '') return natives[functionName] ?? caller
  // The log writes through Node's own file system module.
  if (caller === 'log' && url.startsWith('node:')) return caller
  return components.find(([, source]) => source.test(url))?.[0] ?? 'the rest'
}
