#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { boundYoungGeneration } from './young-generation.ts'

// A service lives long and moves many bytes; other commands are over before it matters.
if (process.argv[2] === 'serve') boundYoungGeneration()
// Before anything else is loaded: compiled code is kept between starts, which halves them.
enableCompileCache()
const { runCommand } = await import('./commands/program.ts')
await runCommand(process.argv)
