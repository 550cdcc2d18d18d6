import type { ParsedKind } from '../kinds.ts'
import type { Order, Report } from './message.ts'
import { read } from './read.ts'
import { newSheet } from './sheet.ts'

/** Reads one file after another on behalf of the parent process, and exits with it. */
export function serve(): void {
  // Some parsers leave a rejected promise unhandled when they give up.
  process.on('unhandledRejection', () => undefined)
  process.on('disconnect', () => process.exit())
  let file = newFile('html', 0)
  process.on('message', (order: Order) => {
    if ('kind' in order) file = newFile(order.kind, order.milliseconds)
    else if ('piece' in order) file.pieces.push(order.piece)
    else void reportOn(file)
  })
}

interface File {
  readonly kind: ParsedKind
  readonly milliseconds: number
  readonly pieces: Uint8Array[]
}

function newFile(kind: ParsedKind, milliseconds: number): File {
  return { kind, milliseconds, pieces: [] }
}

async function reportOn(file: File): Promise<void> {
  const given = await textOf(file)
  const report: Report = { ...given, memory: process.memoryUsage.rss() }
  process.send?.(report)
}

async function textOf({ kind, milliseconds, pieces }: File): Promise<Pick<Report, 'text' | 'fault'>> {
  const sheet = newSheet(milliseconds)
  try {
    await read(kind, joined(pieces), sheet)
    const isEmpty = sheet.isFull() && sheet.isBlank()
    return {
      text: sheet.text(),
      fault: isEmpty ? 'The time limit was reached before any text was found.' : null,
    }
  } catch (error) {
    if (!sheet.isBlank()) return { text: sheet.text(), fault: null }
    return { text: '', fault: error instanceof Error ? error.message : String(error) }
  }
}

/** Joins the pieces and empties the list, so that the bytes are not in memory twice. */
function joined(pieces: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0))
  let end = 0
  for (const piece of pieces) {
    all.set(piece, end)
    end += piece.length
  }
  pieces.length = 0
  return all
}
