import { archiveLines, type ArchiveEffort } from './archive-lines.ts'
import type { Figure } from './compare.ts'
import { downloadLines } from './download-lines.ts'
import { renditionLines } from './rendition-lines.ts'
import { uploadLines, type UploadEffort } from './upload-lines.ts'

/** Durations, rounds and amounts of data. */
export interface AssetEffort {
  readonly rounds: number
  readonly durationMs: number
  readonly archive: ArchiveEffort
  readonly uploads: UploadEffort
}

/** The cost of files: renditions, downloads, archives and uploads. */
export async function assetLines(folder: string, effort: AssetEffort): Promise<Figure[]> {
  return [
    ...(await downloadLines(folder, effort)),
    ...(await renditionLines(folder, effort)),
    ...(await archiveLines(folder, effort)),
    ...(await uploadLines(folder, effort)),
  ]
}
