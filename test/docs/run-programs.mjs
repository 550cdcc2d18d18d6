/**
 * Runs programs that were extracted from pages, one at a time and each in a new folder, and writes
 * the output of each next to its program. Usage: node --conditions=quire-source run-programs.mjs
 * <file>…, in the folder of the programs.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { openService } from './service.mjs'

/** The address of the service on the pages. */
const shownAddress = 'http://127.0.0.1:3000'

const folder = process.cwd()

for (const file of process.argv.slice(2)) {
  const path = join(folder, file)
  const code = readFileSync(path, 'utf8')
  const service = code.includes(shownAddress) ? await openService(folder) : undefined
  if (service) writeFileSync(path, code.replaceAll(shownAddress, service.address))
  process.chdir(mkdtempSync(join(folder, 'run-')))
  const outcome = await run(path)
  await service?.close()
  writeFileSync(`${path}.json`, JSON.stringify(outcome))
}
// Does not wait for snippets that leave handles open.
process.exit(0)

async function run(path) {
  const printed = []
  const { log } = console
  console.log = (...values) => {
    printed.push(
      values
        .map((value) => (typeof value === 'string' ? value : inspect(value, { breakLength: Infinity })))
        .join(' '),
    )
  }
  try {
    await import(pathToFileURL(path).href)
    return { printed, error: null }
  } catch (error) {
    return { printed, error: error.stack ?? String(error) }
  } finally {
    console.log = log
  }
}
