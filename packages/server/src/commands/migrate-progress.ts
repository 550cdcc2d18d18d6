import type { WriteStream } from 'node:tty'
import { SingleBar } from 'cli-progress'
import type { MigrationListener, Part } from '../migrate-store/progress.ts'

/** Shows the progress of a migration: a progress bar on a terminal, plain lines elsewhere. */
export function migrateProgress(output: WriteStream): MigrationListener {
  return output.isTTY ? bar(output) : plainLines(output)
}

/** Milliseconds between two lines about the same part: an hour has about 360 of them. */
const LINE_INTERVAL_MS = 10_000

function plainLines(output: WriteStream): MigrationListener {
  let meter = meterOf({ name: '', unit: 'rows', total: 0, before: 0 })
  let reported = ''
  let reportedAt = 0
  const write = (what: string) => void output.write(`${`${meter.text()} ${what}`.trimEnd()}\n`)
  return {
    begin(part) {
      meter = meterOf(part)
      reported = ''
      reportedAt = performance.now()
      write('')
    },
    moved(amount, what) {
      meter.add(amount)
      // Each table gets a line of its own. There are too many binaries for that.
      const isNew = meter.part.unit === 'rows' && what !== reported
      if (!isNew && performance.now() - reportedAt < LINE_INTERVAL_MS) return
      reported = what
      reportedAt = performance.now()
      write(what)
    },
    end: () => write('done'),
  }
}

function bar(output: WriteStream): MigrationListener {
  const visible = new SingleBar({
    stream: output,
    format: '{text} {bar} {percentage} % {what}',
    hideCursor: true,
  })
  let meter = meterOf({ name: '', unit: 'rows', total: 0, before: 0 })
  return {
    begin(part) {
      meter = meterOf(part)
      visible.start(part.total, part.before, { text: meter.text(), what: '' })
    },
    moved(amount, what) {
      meter.add(amount)
      visible.update(meter.done(), { text: meter.text(), what })
    },
    end() {
      visible.update(meter.done(), { text: meter.text(), what: '' })
      visible.stop()
    },
  }
}

/** Counts the progress of a part. */
function meterOf(part: Part) {
  const start = performance.now()
  let done = part.before
  return {
    part,
    add: (amount: number) => void (done += amount),
    done: () => done,
    text() {
      const seconds = Math.max(0.001, (performance.now() - start) / 1000)
      const text = `${part.name}: ${figureOf(part, done)} of ${figureOf(part, part.total)}`
      const rate = figureOf(part, Math.round((done - part.before) / seconds))
      return part.unit === 'steps' ? text : `${text}, ${rate}/s`
    },
  }
}

function figureOf({ unit }: Part, amount: number): string {
  return unit === 'bytes' ? `${(amount / 1_000_000).toFixed(1)} MB` : String(amount)
}
