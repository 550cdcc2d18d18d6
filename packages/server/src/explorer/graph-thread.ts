// The code of the thread that loads GraphiQL: a module of 9 MB that blocks its thread for hundreds
// of milliseconds.
import { parentPort } from 'node:worker_threads'
import * as graphiql from '@graphql-yoga/render-graphiql/graphiql'
import { graphFileNames, graphFiles } from './graph-files.ts'

const encoder = new TextEncoder()
const files = new Map(graphFileNames.map((name) => [name, encoder.encode(graphFiles[name].text(graphiql))]))
parentPort?.postMessage(
  files,
  [...files.values()].map(({ buffer }) => buffer),
)
