import type { Item, UploadOptions } from '@quire/client'
import { useSyncExternalStore } from 'react'
import { queries, quire } from '../service.ts'

/** A file on its way, or that has arrived. */
export interface FileUpload {
  readonly id: number
  readonly file: File
  readonly options: UploadOptions
  readonly state: 'waiting' | 'sending' | 'paused' | 'failed' | 'done'
  /** Bytes that the service has stored. */
  readonly sent: number
  readonly error: unknown
  /** The asset that it became. */
  readonly item: Item | null
}

/** So many are sent at once: more would only share the same line. */
const mostAtOnce = 2

/** What is sent again when a pause or a broken line interrupts it. */
const pieceBytes = 1024 * 1024

let uploads: readonly FileUpload[] = []
let made = 0
const stops = new Map<number, AbortController>()
const listeners = new Set<() => void>()

/** Starts to upload files. It goes on when one opens other views. */
export function addUploads(files: Iterable<File>, options: UploadOptions): void {
  const added = [...files].map((file): FileUpload => ({
    id: (made += 1),
    file,
    options,
    state: 'waiting',
    sent: 0,
    error: null,
    item: null,
  }))
  write([...uploads, ...added])
}

/** Stops an upload. The service keeps what it has, and `resumeUpload` goes on from there. */
export function pauseUpload(id: number): void {
  change(id, { state: 'paused' })
  stops.get(id)?.abort()
}

/** Goes on with an upload that is paused or failed. */
export function resumeUpload(id: number): void {
  change(id, { state: 'waiting', error: null })
}

/** Stops an upload and forgets it. */
export function removeUpload(id: number): void {
  write(uploads.filter((one) => one.id !== id))
  stops.get(id)?.abort()
}

/** The uploads of this page, since it was loaded. */
export function useUploads(): readonly FileUpload[] {
  return useSyncExternalStore(subscribe, () => uploads)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function change(id: number, changed: Partial<FileUpload>): void {
  write(uploads.map((one) => (one.id === id ? { ...one, ...changed } : one)))
}

function write(next: readonly FileUpload[]): void {
  uploads = next
  for (const listener of listeners) listener()
  for (const one of uploads) if (one.state === 'waiting') void send(one)
}

async function send({ id, file, options }: FileUpload): Promise<void> {
  // One that was just paused has to stop first.
  if (stops.has(id) || stops.size === mostAtOnce) return
  const stop = new AbortController()
  stops.set(id, stop)
  change(id, { state: 'sending' })
  const ended = await quire.assets
    .upload(file, {
      ...options,
      pieceBytes,
      memory: localStorage,
      signal: stop.signal,
      onProgress: ({ sent }) => change(id, { sent }),
    })
    .then(
      (item): Partial<FileUpload> => ({ state: 'done', item }),
      (error: unknown): Partial<FileUpload> => (stop.signal.aborted ? {} : { state: 'failed', error }),
    )
  stops.delete(id)
  change(id, ended)
  if (ended.state === 'done') void queries.invalidateQueries()
}

// The browser asks before it closes a page that is sending something.
addEventListener('beforeunload', (event) => {
  if (stops.size > 0) event.preventDefault()
})
