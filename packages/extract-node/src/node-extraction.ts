import { availableParallelism } from 'node:os'
import { type Extraction, plainText } from '@quire/core/ports'
import { readers } from './kinds.ts'
import { readPlain } from './plain.ts'
import { createReaders } from './readers.ts'
import { refused } from './refused.ts'

/** How much the reading of files may cost. */
export interface NodeExtractionOptions {
  /** Bytes of a file that a parser reads: of plain text the beginning is read, however much follows. Default: 64 MiB. */
  readonly bytes?: number
  /** For one file, once it is its turn. Default: 10. */
  readonly seconds?: number
  /** Bytes that a process may have in memory while it reads a file. Default: 512 MiB. */
  readonly memory?: number
  /** Files read at a time, each by a process. Default: 2, on one core 1. */
  readonly parallel?: number
  /** Files that wait for their turn; what comes then is refused as `busy`. Default: 64. */
  readonly queue?: number
  /** Seconds that a process waits for the next file before it ends. Default: 10. */
  readonly idle?: number
}

/**
 * Finds text in plain text, HTML, Markdown, PDF and docx. Plain text is decoded at once; what needs a parser is read by a process of its own, which is
 * begun with the first such file and ends when no more come. It may read files, but neither write any nor begin processes, and knows nothing of the
 * environment. Cost: what the options allow.
 */
export function nodeExtraction(options: NodeExtractionOptions = {}): Extraction {
  const bytes = options.bytes ?? 64 * 1024 * 1024
  const processes = createReaders({
    seconds: options.seconds ?? 10,
    memory: options.memory ?? 512 * 1024 * 1024,
    parallel: options.parallel ?? Math.min(2, availableParallelism()),
    queue: options.queue ?? 64,
    idle: options.idle ?? 10,
  })
  return {
    async extract(source, { mimeType, size }) {
      const reader = readers[mimeType]
      if (reader === 'plain') return textOf(await readPlain(await source()))
      if (size > bytes) throw refused('large')
      return textOf(await processes.read(reader, source))
    },
  }
}

function textOf(read: string | null): string | null {
  return read === null ? null : plainText(read)
}
