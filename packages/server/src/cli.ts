#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { boundYoungGeneration } from './young-generation.ts'

// A service runs for a long time and moves many bytes. Other commands end before it matters.
if (process.argv[2] === 'serve') boundYoungGeneration()
// Enabled before anything else is loaded: without compiled code from a cache, a start takes a fifth longer.
enableCompileCache()
const { runCommand } = await import('./commands/program.ts')
await runCommand(process.argv)
