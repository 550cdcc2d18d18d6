import { startEngine } from './engine.ts'
import { readOptions } from './read-options.ts'

const engine = await startEngine(readOptions(process.env))
console.log(`The engine listens on ${engine.baseUrl}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void engine.close())
