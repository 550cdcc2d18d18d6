import { readdirSync, readFileSync } from 'node:fs'
import { type Extraction, ExtractionRefused, type ExtractedType } from '@quire/core/ports'

/** The MIME type of Word documents. */
export const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The text of a file, or the kind of the refusal. Any other error is a bug and is thrown. */
export async function outcomeOf(
  extraction: Extraction,
  mimeType: ExtractedType,
  bytes: Uint8Array,
): Promise<{ text: string | null } | { refused: ExtractionRefused['kind'] }> {
  try {
    return { text: await extraction.extract(async () => once(bytes), { mimeType, size: bytes.length }) }
  } catch (error) {
    if (error instanceof ExtractionRefused) return { refused: error.kind }
    throw error
  }
}

/** Yields bytes in pieces of 64 KiB. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 64 * 1024) yield bytes.subarray(start, start + 64 * 1024)
}

/** The ids of the child processes of a process. Linux only. */
export function childrenOf(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

/** Bytes of memory that a process uses; 0 when it has ended. */
export function memoryOf(pid: number): number {
  try {
    const [, kibibytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes) * 1024
  } catch {
    return 0
  }
}
