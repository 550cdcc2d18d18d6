import { availableParallelism } from 'node:os'
import sharp from 'sharp'

/** The readers of libvips that may run: all others, of SVG, PDF and a dozen rare formats, are blocked by not being named. */
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff']

/**
 * Settings that libvips keeps for the whole process: only the readers that are needed; one thread a picture, since several are made
 * at a time; and no cache, since renditions are cached as blobs and no two calls are alike.
 */
export function prepareProcess(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers.map((reader) => `VipsForeignLoad${reader}`) })
  sharp.cache(false)
  sharp.concurrency(1)
}

/** The threads of libuv's pool when UV_THREADPOOL_SIZE does not say otherwise. */
const POOL_THREADS = 4

/** As many pictures at a time as there are cores, but one thread of libuv's pool less: files are read on it too and would wait behind them. */
export function defaultParallel(): number {
  const threads = Number(process.env['UV_THREADPOOL_SIZE']) || POOL_THREADS
  return Math.max(1, Math.min(availableParallelism(), threads - 1))
}
