// count-tests.mjs <results.json> <exit code of npm test>: prints "N passed, N failed[, N skipped]".
import { existsSync, readFileSync } from 'node:fs'

const [file, code] = process.argv.slice(2)

function count() {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  const results = JSON.parse(readFileSync(file, 'utf8'))
  const unloaded = results.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed'),
  )
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + unloaded.length,
    skipped: results.numPendingTests + results.numTodoTests,
  }
}

const { passed, failed, skipped } = count()
// What fails beside the tests (an unhandled error, the package check) is one failure too.
const shown = failed === 0 && code !== '0' ? 1 : failed
console.log(`${passed} passed, ${shown} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
