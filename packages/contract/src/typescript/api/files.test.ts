import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { apiFiles } from './files.ts'

const folder = join(import.meta.dirname, '../../api/generated')

it('are the types of the contract: run node --conditions=quire-source scripts/generate-api-types.mjs', () => {
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries(apiFiles()))
})
