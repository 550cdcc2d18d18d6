// npm run kill -- [--kills 500] [--minutes 60] [--mutant]
// npm run kill -- --merges [--kills 100] [--minutes 60] [--mutant]
// npm run kill -- --deliveries [--kills 200] [--postgres]
// npm run kill -- --jobs [--kills 100] [--postgres]
// npm run kill -- --reviews [--kills 50] [--mutant]
// npm run kill -- --processes [--seconds 600] [--mutant]
// npm run kill -- --commits [--kills 500] [--mutant]
import { parseArgs } from 'node:util'
import { serveArgs } from '../server/server-process.ts'
import { deliverySummary, runDeliveries, serveSending } from './deliveries/run-deliveries.ts'
import {
  onPostgres as deliverOnPostgres,
  onSqlite as deliverOnSqlite,
} from './deliveries/delivery-service.ts'
import { commitSummary, runCommits } from './commits/run-commits.ts'
import type { Damage } from './damage.ts'
import { onPostgres as workOnPostgres, onSqlite as workOnSqlite } from './jobs/job-service.ts'
import { jobSummary, runJobs } from './jobs/run-jobs.ts'
import { findingsOf, runMerges } from './merges/run-merges.ts'
import { mergeSummary } from './merges/summary.ts'
import { serveMutantArgs } from './mutant.ts'
import { defects, serveDefective as serveSeveral } from './processes/defects.ts'
import { strike } from './processes/disturb.ts'
import { runProcesses } from './processes/run-processes.ts'
import { examinePostgres, servePostgres } from './processes/serve-postgres.ts'
import { blowSummary, processSummary } from './processes/summary.ts'
import { serveDefective } from './reviews/defects.ts'
import { reviewSummary, runReviews, serveReviewed } from './reviews/run-reviews.ts'
import { runKills, summary } from './run-kills.ts'

const { values } = parseArgs({
  options: {
    merges: { type: 'boolean', default: false },
    deliveries: { type: 'boolean', default: false },
    jobs: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    reviews: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    commits: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '600' },
    kills: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    mutant: { type: 'boolean', default: false },
  },
})
const deadline = Number(values.minutes) * 60_000

const locations = await chosen()
for (const location of locations.slice(0, 50)) console.error(location)
process.exitCode = locations.length === 0 ? 0 : 1

function chosen(): Promise<string[]> {
  if (values.deliveries) return killDeliveries()
  if (values.jobs) return killJobs()
  if (values.reviews) return killReviews()
  if (values.processes) return killProcesses()
  if (values.commits) return cutCommits()
  return values.merges ? killMerges() : killWrites()
}

async function killDeliveries(): Promise<string[]> {
  const kills = Number(values.kills ?? 200)
  const report = await runDeliveries({
    kills,
    open: values.postgres ? deliverOnPostgres : deliverOnSqlite(serveSending),
    reported: (done) => process.stderr.write(`\r${done} of ${kills} kills`),
  })
  process.stderr.write('\n')
  console.log(deliverySummary(report))
  return [...report.findings]
}

async function killJobs(): Promise<string[]> {
  const kills = Number(values.kills ?? 100)
  const report = await runJobs({
    kills,
    open: values.postgres ? workOnPostgres : workOnSqlite,
    reported: (done) => process.stderr.write(`\r${done} of ${kills} kills`),
  })
  process.stderr.write('\n')
  console.log(jobSummary(report))
  return [...report.findings]
}

async function killReviews(): Promise<string[]> {
  const kills = Number(values.kills ?? 50)
  const report = await runReviews({
    kills,
    serve: values.mutant ? serveDefective('forgetful') : serveReviewed,
    reported: (done) => process.stderr.write(`\r${done} of ${kills} kills`),
  })
  process.stderr.write('\n')
  console.log(reviewSummary(report))
  return [...report.findings]
}

async function killWrites(): Promise<string[]> {
  const report = await runKills({
    kills: Number(values.kills ?? 500),
    deadline,
    serve: values.mutant ? serveMutantArgs : (folder) => [...serveArgs(folder), '--log', 'error'],
    reported: (sofar) => process.stderr.write(`\r${summary(sofar)}`),
  })
  process.stderr.write('\n')
  console.log(summary(report))
  return locationsOf(report.damage)
}

async function killProcesses(): Promise<string[]> {
  let blows = { kills: 0, terminated: 0 }
  const report = await runProcesses({
    processes: 4,
    ...(values.mutant ? { serve: serveSeveral('early') } : { serve: servePostgres, doctor: examinePostgres }),
    meanwhile: async (disturbed) => void (blows = await strike(disturbed, Number(values.seconds) * 1000)),
    reported: ({ answered }) => process.stderr.write(`\r${answered} requests answered`),
  })
  process.stderr.write('\n')
  console.log(`${blowSummary(blows)}; ${processSummary(report)}`)
  return [...locationsOf(report.damage), ...report.findings]
}

async function cutCommits(): Promise<string[]> {
  const cuts = Number(values.kills ?? 500)
  const report = await runCommits({
    cuts,
    ...(values.mutant && { between: defects.forgetful }),
    reported: (done) => process.stderr.write(`\r${done} of ${cuts} cuts`),
  })
  process.stderr.write('\n')
  console.log(commitSummary(report))
  return [...locationsOf(report.damage), ...report.findings]
}

function locationsOf(damage: Damage): string[] {
  return Object.entries(damage).flatMap(([kind, found]: [string, readonly string[]]) =>
    found.map((location) => `${kind}: ${location}`),
  )
}

async function killMerges(): Promise<string[]> {
  const killed = await runMerges({
    kills: Number(values.kills ?? 100),
    deadline,
    lanes: 2,
    defect: values.mutant ? { split: 'halfway' } : undefined,
    reported: (sofar) => process.stderr.write(`\r${mergeSummary(sofar)}`),
  })
  process.stderr.write('\n')
  console.log(mergeSummary(killed))
  return findingsOf(killed).map(({ harm, location }) => `${harm}: ${location}`)
}
