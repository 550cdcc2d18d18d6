// Checks the messages of all commits after the one that added this file together with the rule.
import { spawnSync } from 'node:child_process'

const LONGEST_SUBJECT = 72
const trailer = /^(?:co-authored-by|signed-off-by|reviewed-by): /i

/** The faults of one message; empty if it follows CONTRIBUTING.md. */
function faultsOf(message) {
  const [subject = '', ...rest] = message.trim().split('\n')
  const body = rest.filter((line) => line.trim() !== '' && !trailer.test(line))
  const faults = []
  if (subject.length > LONGEST_SUBJECT) faults.push(`the subject has ${subject.length} characters`)
  if (!/^[a-z0-9-]+: \S/.test(subject)) faults.push('the subject does not start with one scope')
  if (/; [a-z0-9-]+: /.test(subject)) faults.push('the subject has a second scope')
  if (rest.length > 0 && rest[0].trim() !== '') faults.push('the subject is not followed by an empty line')
  if (body.length === 0) faults.push('the message has no body that says why')
  return faults
}

function git(...args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  if (status !== 0) {
    // Not a failure: a source archive has no history, and git refuses a clone that belongs to another
    // user.
    console.log(`commits: not checked, because git failed: ${error?.message ?? stderr.trim()}`)
    process.exit(0)
  }
  return stdout.trim()
}

// In a shallow clone this is its oldest commit, which is a good start, too.
const base = git('log', '--diff-filter=A', '--format=%H', '--max-count=1', '--', 'scripts/check-commits.mjs')
const commits = base ? git('rev-list', '--no-merges', `${base}..HEAD`).split('\n').filter(Boolean) : []
const wrong = commits.flatMap((commit) => {
  const message = git('log', '--max-count=1', '--format=%B', commit)
  return faultsOf(message).map((fault) => `${commit.slice(0, 9)} "${message.split('\n')[0]}": ${fault}`)
})
for (const line of wrong) console.error(line)
console.log(`commits: ${commits.length} checked, ${wrong.length} faults`)
process.exitCode = wrong.length > 0 ? 1 : 0
