import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { accessLines } from './access-lines.ts'
import { agentLine } from './agent-line.ts'
import { assetLines, type AssetEffort } from './asset-lines.ts'
import { backupLine } from './backup-line.ts'
import { holds, type Figure } from './compare.ts'
import { fillBare, fillQuire } from './databases.ts'
import { growthLines, type Effort } from './http-lines.ts'
import { clientLine } from './client-line.ts'
import { graphqlLines } from './graphql-lines.ts'
import { hostLines } from './host-lines.ts'
import { inProcessLines } from './in-process-line.ts'
import { limitLines } from './limit-lines.ts'
import { localeLines } from './locale-lines.ts'
import { movingFilesLines } from './moving-files-lines.ts'
import { movingLines, type MovingEffort } from './moving-lines.ts'
import { packageLines } from './package-lines.ts'
import { profileRequests, profileText } from './profile.ts'
import { memoryLine, startLines } from './process-lines.ts'
import { queueLines, type QueueEffort } from './queue-lines.ts'
import { threadPageDiffs } from '@quire/server'
import { pageDiffLine } from './page-diff-line.ts'
import { scalingLines, type ScalingEffort } from './scaling-lines.ts'
import { searchLines, type SearchEffort } from './search-lines.ts'
import { siteLines, type SiteEffort } from './site-lines.ts'

/**
 * Measures the cost of Quire as ratios to a bare server in the same run. A full run takes half an
 * hour. `--quick` takes a few minutes, but does not show small differences. `--limits`, `--search`,
 * `--queue`, `--sites`, `--graphql`, `--in-process`, `--start`, `--scaling`, `--moving`, `--backup`,
 * `--locales`, `--agents` and `--hosts` measure one part and leave the other figures unchanged.
 * The result is written to bench/results.json, except with `--quick`. `--profile` instead reports
 * where the time of a read, a list and a create is spent.
 */
const quick = process.argv.includes('--quick')
const effort: Effort = quick
  ? { rounds: 3, durationMs: 1000, items: 10_000, many: 20_000 }
  : { rounds: 5, durationMs: 4000, items: 10_000, many: 100_000 }
// `--quick` moves a twentieth of the bytes. Its archive and upload figures do not show the cost of
// long transfers.
const assets: AssetEffort = quick
  ? { ...effort, archive: { entries: 500, entryBytes: 2_147_484 }, uploads: { count: 10, bytes: 20e6 } }
  : { ...effort, archive: { entries: 5000, entryBytes: 2_147_484 }, uploads: { count: 50, bytes: 200e6 } }
const search: SearchEffort = quick
  ? { ...effort, few: 2000, some: 20_000, many: 50_000 }
  : { ...effort, few: 10_000, some: 100_000, many: 1_000_000 }
const queue: QueueEffort = quick
  ? { rounds: 3, deliveries: 1000, creations: 300, few: 100, many: 10_000 }
  : { rounds: 5, deliveries: 5000, creations: 2000, few: 100, many: 100_000 }
const site: SiteEffort = { ...effort, pages: quick ? 1000 : 10_000 }
const scaling: ScalingEffort = quick
  ? { rounds: 2, durationMs: 700, items: 10_000 }
  : { rounds: 4, durationMs: 2000, items: 10_000 }
const limiting = () =>
  step('requests compared with the bare server', async () => limitLines(await fillBoth(), effort))
const searching = () => step('search', () => searchLines(folder, search))
const queueing = () => step('queue', () => queueLines(folder, queue))
const publishing = () => step('sites', () => sitesAndDiffs())
const graphing = () => step('GraphQL', async () => graphqlLines(await fillBoth(), effort))
const embedding = () => step('read in process', async () => inProcessLines(await fillBoth(), effort))
const starting = () => step('start the service', () => startLines(join(folder, 'started'), effort))
const moving: MovingEffort = quick
  ? { rounds: 2, many: 10_000, few: 2000 }
  : { rounds: 3, many: 100_000, few: 10_000 }
const moved = {
  durationMs: effort.durationMs,
  files: quick ? { count: 10, bytes: 20e6 } : { count: 80, bytes: 1024 ** 3 / 8 },
}
const transferring = async () => [
  ...(await step('moving content', () => movingLines(folder, moving))),
  ...(await step('moving files', () => movingFilesLines(folder, moved))),
]
const backup = { rounds: moving.rounds, items: effort.many / 4, durationMs: effort.durationMs }
const backingUp = () => step('backup', async () => [await backupLine(folder, backup)])
const localizing = () => step('locales', async () => localeLines(folder, (await fillBoth()).quire, effort))
const connecting = () => step('agents', async () => [await agentLine((await fillBoth()).quire, effort)])
const hosting = () => step('handler and cache tags', async () => hostLines((await fillBoth()).quire, effort))
const sharing = () => step('several servers on one database', () => scalingLines(folder, scaling))
const parts = [
  ...(process.argv.includes('--limits') ? [limiting] : []),
  ...(process.argv.includes('--search') ? [searching] : []),
  ...(process.argv.includes('--queue') ? [queueing] : []),
  ...(process.argv.includes('--sites') ? [publishing] : []),
  ...(process.argv.includes('--graphql') ? [graphing] : []),
  ...(process.argv.includes('--in-process') ? [embedding] : []),
  ...(process.argv.includes('--start') ? [starting] : []),
  ...(process.argv.includes('--scaling') ? [sharing] : []),
  ...(process.argv.includes('--moving') ? [transferring] : []),
  ...(process.argv.includes('--backup') ? [backingUp] : []),
  ...(process.argv.includes('--locales') ? [localizing] : []),
  ...(process.argv.includes('--agents') ? [connecting] : []),
  ...(process.argv.includes('--hosts') ? [hosting] : []),
]

let filled: Promise<{ quire: string; bare: string }> | undefined

const results = new URL('../results.json', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'quire-bench-'))
try {
  if (process.argv.includes('--profile')) process.stdout.write(`${await profile(folder)}\n`)
  else {
    const lines = await (parts.length > 0 ? measureParts() : measure())
    print(lines)
    if (!quick) save(parts.length > 0 ? beside(lines) : lines)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measureParts(): Promise<Figure[]> {
  const lines: Figure[] = []
  for (const part of parts) lines.push(...(await part()))
  return lines
}

async function measure(): Promise<Figure[]> {
  const { quire, bare } = await fillBoth()
  const few = await step('fill 1 000 items', () => fillQuire(folder, 1000))
  const many = await step(`fill ${effort.many} items`, () => fillQuire(folder, effort.many))
  const http = await step('requests compared with the bare server', () => limitLines({ quire, bare }, effort))
  const inProcess = await step('read in process', () => inProcessLines({ quire, bare }, effort))
  const graphs = await step('GraphQL', () => graphqlLines({ quire, bare }, effort))
  const access = await step('permissions', () => accessLines(quire, effort))
  const growth = await step('growth', () => growthLines({ few, many }, effort))
  const packages = await step('packages', () => packageLines({ few, many }, effort))
  const words = await searching()
  const jobs = await queueing()
  const sites = await publishing()
  const files = await step('files', () => assetLines(folder, assets))
  const servers = await sharing()
  const transferred = await transferring()
  const backups = await backingUp()
  const localized = await localizing()
  const agents = await connecting()
  const hosts = await hosting()
  const start = await starting()
  return [
    ...http,
    ...inProcess,
    ...graphs,
    ...access,
    ...growth,
    ...packages,
    ...words,
    ...jobs,
    ...sites,
    ...files,
    ...servers,
    ...transferred,
    ...backups,
    ...localized,
    ...agents,
    ...hosts,
    ...start,
    memoryLine(),
    await clientLine(),
  ]
}

/** Fills both once, also for several parts. */
function fillBoth(): Promise<{ quire: string; bare: string }> {
  return (filled ??= fill())
}

async function fill(): Promise<{ quire: string; bare: string }> {
  const quire = await step(`fill ${effort.items} items`, () => fillQuire(folder, effort.items))
  return { quire, bare: await fillBare(folder, quire) }
}

async function sitesAndDiffs(): Promise<Figure[]> {
  const diffs = threadPageDiffs()
  try {
    return [...(await siteLines(folder, site)), await pageDiffLine(diffs)]
  } finally {
    await diffs.close()
  }
}

async function profile(folder: string): Promise<string> {
  const data = await step(`fill ${effort.items} items`, () => fillQuire(folder, effort.items))
  return step('profile', async () => profileText(await profileRequests(data, effort)))
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  process.stderr.write(`${name} …\n`)
  const result = await work()
  process.stderr.write(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  return result
}

function print(lines: readonly Figure[]): void {
  const rows = lines.map((line) => [
    line.what,
    `${figure(line.value)} ${line.unit}`,
    `${figure(line.min)}..${figure(line.max)}`,
    ...judgement(line),
    line.detail,
  ])
  const head = ['what', 'median', 'min..max', 'target', '', '']
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  for (const row of [head, ...rows]) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}

function judgement(line: Figure): [target: string, verdict: string] {
  if (line.target === undefined) return ['', 'reported']
  return [`${line.bound === 'atLeast' ? '≥' : '≤'} ${line.target}`, holds(line) ? 'met' : 'MISSED']
}

function figure(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(2)
}

/**
 * The figures of the last run, with `lines` replacing those of the same name. New names are
 * appended.
 */
function beside(lines: readonly Figure[]): Figure[] {
  const { lines: stored }: { lines: Figure[] } = JSON.parse(readFileSync(results, 'utf8'))
  const names = new Set(lines.map(({ what }) => what))
  return [...stored.filter(({ what }) => !names.has(what)), ...lines]
}

function save(lines: readonly Figure[]): void {
  const measured = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    lines,
  }
  writeFileSync(results, `${JSON.stringify(measured, null, 2)}\n`)
}
