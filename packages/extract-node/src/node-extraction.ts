import { availableParallelism } from 'node:os'
import { type Extraction, plainText } from '@quire/core/ports'
import { readers } from './kinds.ts'
import { readPlain } from './plain.ts'
import { createReaders } from './readers.ts'
import { refused } from './refused.ts'

/** Limits on the cost of reading files. */
export interface NodeExtractionOptions {
  /**
   * Largest file in bytes that a parser reads. Of plain text, the beginning is read, whatever the
   * size of the file. Default: 64 MiB.
   */
  readonly bytes?: number
  /** Seconds for one file, without its time in the queue. Default: 10. */
  readonly seconds?: number
  /** Bytes of memory that a process may use while it reads a file. Default: 512 MiB. */
  readonly memory?: number
  /** Files that are read at the same time, each by a process. Default: 2, on a single core 1. */
  readonly parallel?: number
  /** Files that may wait; any more are refused as `busy`. Default: 64. */
  readonly queue?: number
  /** Seconds that a process waits for the next file before it ends. Default: 10. */
  readonly idle?: number
}

/**
 * Extracts text from plain text, HTML, Markdown, PDF and docx. Plain text is decoded directly. The
 * other formats are parsed in processes of their own, which start with the first such file and end
 * after a while without files. They may read files, but cannot write files, start processes or see
 * the environment. PDF needs the package pdfjs-dist and is refused as `unsupported` without it.
 * Cost: what the options allow.
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
      if (reader === 'pdf' && !canReadPdf()) throw refused('unsupported')
      if (size > bytes) throw refused('large')
      return textOf(await processes.read(reader, source))
    },
  }
}

/** Whether pdfjs-dist is installed: 38 MB, and as much again for a canvas that npm adds to it. */
function canReadPdf(): boolean {
  try {
    import.meta.resolve('pdfjs-dist/package.json')
    return true
  } catch {
    return false
  }
}

function textOf(read: string | null): string | null {
  return read === null ? null : plainText(read)
}
