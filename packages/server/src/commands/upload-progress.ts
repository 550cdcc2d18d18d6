import { basename } from 'node:path'
import type { WriteStream } from 'node:tty'
import type { Item } from '@quire/contract'
import { SingleBar } from 'cli-progress'

/** A file to be uploaded. */
export interface LocalFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** Shows the progress of uploads, and a last line at their end. */
export interface UploadProgress {
  /** Reports the number of bytes of a file that the service has stored. */
  sent(file: LocalFile, bytes: number): void
  done(file: LocalFile, item: Item): void
  /** Returns null in place of an item. */
  failed(file: LocalFile, message: string): null
  end(line: string): void
}

/** A progress bar over all bytes on a terminal, plain lines elsewhere. Both name each failure. */
export function uploadProgress(output: WriteStream, files: readonly LocalFile[]): UploadProgress {
  return output.isTTY ? bar(output, files) : plainLines(output)
}

function plainLines(output: WriteStream): UploadProgress {
  return {
    sent: () => undefined,
    done: (file, item) => void output.write(`uploaded ${file.path} ${item.id}\n`),
    failed: (file, message) => {
      output.write(`failed ${file.path}: ${message}\n`)
      return null
    },
    end: (line) => void output.write(`${line}\n`),
  }
}

function bar(output: WriteStream, files: readonly LocalFile[]): UploadProgress {
  const format = '{bar} {percentage} % {mb} of {total_mb} MB {file}'
  const visible = new SingleBar({ stream: output, format, hideCursor: true })
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const lines: string[] = []
  let before = 0
  const update = (file: LocalFile, bytes: number) => {
    const value = before + bytes
    visible.update(value, { file: basename(file.path), mb: megabytes(value), total_mb: megabytes(total) })
  }
  visible.start(total, 0, { file: '', mb: '0', total_mb: megabytes(total) })
  const complete = (file: LocalFile) => {
    update(file, file.size)
    before += file.size
  }
  return {
    sent: update,
    done(file, item) {
      complete(file)
      lines.push(`uploaded ${file.path} ${item.id}`)
    },
    failed(file, message) {
      complete(file)
      lines.push(`failed ${file.path}: ${message}`)
      return null
    },
    end(line) {
      visible.stop()
      output.write([...lines, line, ''].join('\n'))
    },
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
