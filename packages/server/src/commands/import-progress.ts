import type { WriteStream } from 'node:tty'
import { SingleBar } from 'cli-progress'
import type { ImportListener, Outcome } from '../markdown/import-folder.ts'

/** Shows the progress of an import, and a last line at its end. */
export interface ImportProgress extends ImportListener {
  end(line: string): void
}

/**
 * A progress bar on a terminal, plain lines elsewhere. Both name each failure with its file and
 * line.
 */
export function importProgress(output: WriteStream, folder: string): ImportProgress {
  return output.isTTY ? bar(output, folder) : plainLines(output, folder)
}

function plainLines(output: WriteStream, folder: string): ImportProgress {
  return {
    found: (files) => void output.write(`${files} Markdown files in ${folder}\n`),
    done: (outcome) => void output.write(`${lineOf(outcome)}\n`),
    end: (line) => void output.write(`${line}\n`),
  }
}

function bar(output: WriteStream, folder: string): ImportProgress {
  const visible = new SingleBar({
    stream: output,
    format: `${folder} {bar} {value}/{total} {path}`,
    hideCursor: true,
  })
  const failures: string[] = []
  return {
    found: (_files, items) => visible.start(items, 0, { path: '' }),
    done(outcome) {
      if (outcome.change === 'failed') failures.push(lineOf(outcome))
      visible.increment({ path: outcome.path })
    },
    end(line) {
      visible.stop()
      output.write([...failures, line, ''].join('\n'))
    },
  }
}

function lineOf(outcome: Outcome): string {
  if (outcome.change !== 'failed') return `${outcome.change} ${outcome.path}`
  return `failed ${outcome.path}:${outcome.line}: ${outcome.message}`
}
