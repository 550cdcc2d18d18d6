// count-tests.mjs <exit code> <results.json>…: lists skipped and failed tests, then
// prints "N passed, N failed, N skipped".
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Lines that are printed of the message and stack of a failed test. */
const LINES_OF_A_FAILURE = 20

const [code, ...files] = process.argv.slice(2)
const suites = files.flatMap((file) =>
  existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8')).testResults
    : [{ assertionResults: [], status: 'failed' }],
)
const tests = suites.flatMap((suite) => suite.assertionResults.map((test) => ({ ...test, file: suite.name })))
const having = (...statuses) => tests.filter((test) => statuses.includes(test.status))
// A file that could not be loaded has no failed test.
const unloaded = suites.filter(
  (suite) => suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed'),
)
const skipped = having('skipped', 'pending', 'todo')
for (const { file, fullName } of skipped) console.log(`skipped: ${relative('.', file)}: ${fullName}`)
// People see the last lines of a long log, so these contain the failures with their reasons.
const indented = (message) => String(message).split('\n').slice(0, LINES_OF_A_FAILURE).join('\n  ')
for (const { file, fullName, failureMessages } of having('failed'))
  console.log(`failed: ${relative('.', file)}: ${fullName}\n  ${failureMessages.map(indented).join('\n  ')}`)
for (const { name, message } of unloaded)
  console.log(`failed: ${name ? relative('.', name) : 'no results'}\n  ${indented(message ?? '')}`)
const failed = having('failed').length + unloaded.length
// Anything else that fails (an unhandled error, the package check) counts as one failure.
const shown = failed === 0 && code !== '0' ? 1 : failed
console.log(`${having('passed').length} passed, ${shown} failed, ${skipped.length} skipped`)
