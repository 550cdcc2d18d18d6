import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type * as Graphiql from '@graphql-yoga/render-graphiql/graphiql'

interface Served {
  readonly type: string
  readonly text: (files: typeof Graphiql) => string
}

/** The files that the explorer of a graph loads. */
export const graphFiles = {
  'graphiql.js': { type: 'text/javascript', text: ({ js }) => js },
  'graphiql.css': { type: 'text/css', text: ({ css }) => css },
  'editor.worker.js': { type: 'text/javascript', text: ({ editorWorkerService }) => editorWorkerService },
  'json.worker.js': { type: 'text/javascript', text: ({ jsonWorker }) => jsonWorker },
  'graphql.worker.js': { type: 'text/javascript', text: ({ graphqlWorker }) => graphqlWorker },
} as const satisfies Readonly<Record<string, Served>>

export type GraphFile = keyof typeof graphFiles

export const graphFileNames = Object.keys(graphFiles) as GraphFile[]

/**
 * The files of GraphiQL, from its package: 9 MB, which are loaded only when somebody opens a graph.
 * A thread loads them, so that other requests do not wait.
 */
export async function loadGraphFiles(): Promise<ReadonlyMap<GraphFile, Buffer>> {
  const isSource = extname(import.meta.url) === '.ts'
  const entry = isSource ? './graph-thread.ts' : './explorer/graph-thread.js'
  const worker = new Worker(new URL(entry, import.meta.url), {
    name: 'quire-explorer',
    execArgv: isSource ? ['--conditions=quire-source'] : [],
  })
  worker.unref()
  // An error in the thread rejects this as well.
  const [files] = (await once(worker, 'message')) as [ReadonlyMap<GraphFile, Uint8Array>]
  return new Map([...files].map(([name, bytes]) => [name, Buffer.from(bytes.buffer)]))
}
