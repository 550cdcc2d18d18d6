/**
 * Writes packages/contract/src/routes.ts from the contract: the HTTP route of each endpoint, without zod.
 * Run: node --conditions=quire-source scripts/generate-routes.mjs
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = join(dirname(import.meta.dirname), 'packages/contract')
const { resolve } = createRequire(join(folder, 'package.json'))
const load = (specifier) => import(pathToFileURL(resolve(specifier)).href)

const { contract } = await load('@quire/contract')
const { crudTexts, routeText } = await import(pathToFileURL(join(folder, 'src/codec/route-text.ts')).href)

const header = `// Generated from the contract by scripts/generate-routes.mjs: do not edit.
import { routesOf } from './codec/route-text.ts'

/** The HTTP route of each endpoint: \`routes.<group>.<operation>\`. Has no schemas, so that a browser loads none. */
export const routes = routesOf(`

writeFileSync(join(folder, 'src/routes.ts'), `${header}${render(tableOf(contract), '')})\n`)

function tableOf(groups) {
  return mapValues(groups, (operations) => shortened(mapValues(operations, routeText)))
}

/** Replaces the five usual operations by one text, if all of them are as usual. */
function shortened(lines) {
  const own = lines.get?.slice('GET '.length) ?? ''
  const usual = Object.entries(crudTexts(own))
  if (!usual.every(([operation, text]) => lines[operation] === text)) return lines
  const others = Object.entries(lines).filter(([operation]) => !usual.some(([name]) => name === operation))
  return { crud: own, ...Object.fromEntries(others) }
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}

function render(value, indent) {
  if (typeof value !== 'object') return `'${value}'`
  const members = Object.entries(value)
  const inner = members.map(([name, member]) => `${indent}  ${name}: ${render(member, `${indent}  `)},\n`)
  return `{\n${inner.join('')}${indent}}`
}
