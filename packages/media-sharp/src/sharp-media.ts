import type { ImageInfo, MadeImage, Media, Recipe } from '@quire/core/ports'
import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { draw, encode } from './draw.ts'
import { layOut } from './layout.ts'
import { defaultParallel, prepareProcess } from './process.ts'
import { refusal, refused } from './refusal.ts'
import { createTurnstile } from './turnstile.ts'

/** Limits on the cost of pictures (TRUST 4.2). */
export interface SharpMediaOptions {
  /** Pixels of a source, of all its pages together. Default: 50 million. */
  readonly pixels?: number
  /** Frames or pages of a source. Default: 100. */
  readonly pages?: number
  /** Seconds for making one picture, without its time in the queue. Default: 10. */
  readonly seconds?: number
  /**
   * Pictures that are made at the same time, and as many that are probed. Each has its source in
   * memory. Default: one per core, but one less than the threads of libuv's pool.
   */
  readonly parallel?: number
  /** Pictures that may wait to be made; any more are refused as `busy`. Default: 32. */
  readonly queue?: number
}

interface Limits {
  readonly pixels: number
  readonly pages: number
  readonly seconds: number
}

/**
 * Pictures that may wait to be probed. They hold no bytes while they wait, and a probe takes
 * milliseconds. At half, it is still enough for a gallery that is dropped into a browser; at twice,
 * the last one waits for seconds.
 */
const PROBES_WAITING = 1_000

/**
 * Makes pictures with sharp. Its settings apply to the whole process: the last call determines
 * them. Cost: what the options allow.
 */
export function sharpMedia(options: SharpMediaOptions = {}): Media {
  prepareProcess()
  const limits = {
    pixels: options.pixels ?? 50_000_000,
    pages: options.pages ?? 100,
    seconds: options.seconds ?? 10,
  }
  const bounds = { parallel: options.parallel ?? defaultParallel(), seconds: limits.seconds }
  const making = createTurnstile({ ...bounds, queue: options.queue ?? 32 })
  // A turnstile of its own, so that pictures that take seconds to make do not delay uploads.
  const probing = createTurnstile({ ...bounds, queue: PROBES_WAITING })
  return {
    probe: (load) => probing.pass({ load, run: (bytes) => probe(bytes, limits) }),
    make: (load, recipe) => making.pass({ load, run: (source) => make(source, recipe, limits) }),
  }
}

async function probe(bytes: Uint8Array, limits: Limits): Promise<ImageInfo | null> {
  try {
    return infoOf(await readHead(bytes, limits))
  } catch (error) {
    const reason = refusal(error)
    if (reason.kind === 'unreadable') return null
    throw reason
  }
}

function infoOf({ autoOrient, pages, hasAlpha }: Metadata): ImageInfo {
  return { ...autoOrient, pages: pages ?? 1, hasAlpha }
}

async function make(source: Uint8Array, recipe: Recipe, limits: Limits): Promise<MadeImage> {
  try {
    const head = await readHead(source, limits)
    const layout = layOut(head.autoOrient, recipe)
    const animated = recipe.format === 'webp' && isAnimation(head)
    const image = open(source, { animated }, limits).timeout({ seconds: Math.ceil(limits.seconds) })
    const drawn = storeProfile(draw(image, layout, recipe), head)
    const { data } = await encode(drawn, recipe, layout).toUint8Array()
    return { bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength), ...layout.canvas }
  } catch (error) {
    throw refusal(error)
  }
}

/**
 * Reads the metadata of a file. Errors: those of sharp; MediaRefused `large`, also when only all
 * pages together have too many pixels.
 */
async function readHead(bytes: Uint8Array, limits: Limits): Promise<Metadata> {
  const head = await open(bytes, {}, limits).metadata()
  const pages = head.pages ?? 1
  if (pages > limits.pages || head.width * head.height * pages > limits.pixels) throw refused('large')
  // libheif reports the size of an HEVC picture (HEIC of a phone), but cannot decode it here.
  if (head.format === 'heif' && head.compression !== 'av1') throw refused('unreadable')
  return head
}

/**
 * `failOn: error` rejects damaged and truncated files. sharp's default, `warning`, would also
 * reject photos of some phones whose pixels are intact.
 */
function open(bytes: Uint8Array, options: SharpOptions, { pixels }: Limits) {
  return sharp(bytes, { ...options, failOn: 'error', limitInputPixels: pixels })
}

/**
 * Whether the pages of a file are frames of an animation. An animation that must be rotated becomes
 * a still picture: libvips would rotate the strip of all frames instead of each frame.
 */
function isAnimation({ format, pages = 1, orientation = 1 }: Metadata): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp') && orientation === 1
}

/** RGB colors retain their profile. CMYK and gray are converted to sRGB, which needs no profile. */
function storeProfile(image: ReturnType<typeof sharp>, { space, hasProfile }: Metadata) {
  return hasProfile && (space === 'srgb' || space === 'rgb16') ? image.keepIccProfile() : image
}
