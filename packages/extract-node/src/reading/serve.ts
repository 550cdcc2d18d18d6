import type { ParsedKind } from '../kinds.ts'
import type { Order, Report } from './message.ts'
import { read } from './read.ts'
import { newSheet } from './sheet.ts'

/** Reads one file after another, as it is told by the process that made this one, and ends with that. */
export function serve(): void {
  // Some parsers forget a promise of theirs when they give up.
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
    const isWanting = sheet.isFull() && sheet.isBlank()
    return { text: sheet.text(), fault: isWanting ? 'The time was up before the first word.' : null }
  } catch (error) {
    if (!sheet.isBlank()) return { text: sheet.text(), fault: null }
    return { text: '', fault: error instanceof Error ? error.message : String(error) }
  }
}

/** The pieces as one, which then alone has the bytes. */
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
