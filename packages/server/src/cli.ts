#!/usr/bin/env node
import * as nodeModule from 'node:module'
import { boundYoungGeneration } from './young-generation.ts'

// A program that is newer than Node fails at its first import, with a stack that names a file of Quire.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `quire: needs Node 22.19 or newer, and this is ${process.versions.node}: install a newer Node.`,
  )
  process.exit(2)
}
// A service runs for a long time and moves many bytes. Other commands end before it matters.
if (process.argv[2] === 'serve') boundYoungGeneration()
// Enabled before anything else is loaded: without compiled code from a cache, a start takes a fifth
// longer. Deno has none.
nodeModule.enableCompileCache?.()
const { runCommand } = await import('./commands/program.ts')
await runCommand(process.argv)
