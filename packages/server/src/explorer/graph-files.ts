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

/** One of them. */
export type GraphFile = keyof typeof graphFiles

/** All of them. */
export const graphFileNames = Object.keys(graphFiles) as GraphFile[]

/** The text of a file of GraphiQL, from the package that carries them: 9 MB, which nobody loads who opens no graph. */
export async function readGraphFile(name: GraphFile): Promise<string> {
  return graphFiles[name].text(await import('@graphql-yoga/render-graphiql/graphiql'))
}
