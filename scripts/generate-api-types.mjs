/**
 * Writes packages/contract/src/api/generated from the contract: the types of the API as plain
 * interfaces with documentation, without zod.
 * Run: node --conditions=quire-source scripts/generate-api-types.mjs
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const source = join(dirname(import.meta.dirname), 'packages/contract/src')
const { apiFiles } = await import(pathToFileURL(join(source, 'typescript/api/files.ts')).href)
const folder = join(source, 'api/generated')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, text] of apiFiles()) writeFileSync(join(folder, name), text)
