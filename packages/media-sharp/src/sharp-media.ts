import type { ImageInfo, MadeImage, Media, Recipe } from '@quire/core/ports'
import sharp, { type Metadata, type SharpOptions } from 'sharp'
import { draw, encode } from './draw.ts'
import { layOut } from './layout.ts'
import { defaultParallel, prepareProcess } from './process.ts'
import { refusal, refused } from './refusal.ts'
import { createTurnstile } from './turnstile.ts'

/** How much pictures may cost (TRUST 4.2). */
export interface SharpMediaOptions {
  /** Of a source, all its pages together. Default: 50 million. */
  readonly pixels?: number
  /** Frames or pages of a source. Default: 100. */
  readonly pages?: number
  /** For making one picture, without its time in the queue. Default: 10. */
  readonly seconds?: number
  /** Pictures made at a time, and as many looked at; the source of each is in memory. Default: as many as there are cores, but one less than there are threads in libuv's pool. */
  readonly parallel?: number
  /** Pictures that wait to be made; what comes then is refused as `busy`. Default: 32. */
  readonly queue?: number
}

interface Limits {
  readonly pixels: number
  readonly pages: number
  readonly seconds: number
}

/** Pictures that wait to be looked at, holding no bytes: a head takes milliseconds. At half, a gallery that is dropped into a browser is still looked at; at twice, the last waits for seconds. */
const PROBES_WAITING = 1_000

/** Pictures by sharp. Its settings hold for the whole process: the last media that is opened says them. Cost: what the options allow. */
export function sharpMedia(options: SharpMediaOptions = {}): Media {
  prepareProcess()
  const limits = {
    pixels: options.pixels ?? 50_000_000,
    pages: options.pages ?? 100,
    seconds: options.seconds ?? 10,
  }
  const bounds = { parallel: options.parallel ?? defaultParallel(), seconds: limits.seconds }
  const making = createTurnstile({ ...bounds, queue: options.queue ?? 32 })
  // A turnstile of its own: pictures that take seconds to make hold up nobody's upload.
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

/** What stands in the head of a file. Errors: those of sharp; MediaRefused `large`, also where only all pages together are too many pixels. */
async function readHead(bytes: Uint8Array, limits: Limits): Promise<Metadata> {
  const head = await open(bytes, {}, limits).metadata()
  const pages = head.pages ?? 1
  if (pages > limits.pages || head.width * head.height * pages > limits.pixels) throw refused('large')
  // libheif tells the size of an HEVC picture (HEIC of a phone), which it cannot decode here.
  if (head.format === 'heif' && head.compression !== 'av1') throw refused('unreadable')
  return head
}

/**
 * `failOn: error` refuses what is damaged or cut short. `warning`, the default of sharp, would refuse photos of some phones as well,
 * whose pixels are whole.
 */
function open(bytes: Uint8Array, options: SharpOptions, { pixels }: Limits) {
  return sharp(bytes, { ...options, failOn: 'error', limitInputPixels: pixels })
}

/** The pages of other formats are no frames. One that must be turned becomes a still: libvips turns the strip of all frames, not each. */
function isAnimation({ format, pages = 1, orientation = 1 }: Metadata): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp') && orientation === 1
}

/** Colours of RGB stay as they are, under their own profile; those of CMYK and grey are made sRGB, which no profile need tell. */
function storeProfile(image: ReturnType<typeof sharp>, { space, hasProfile }: Metadata) {
  return hasProfile && (space === 'srgb' || space === 'rgb16') ? image.keepIccProfile() : image
}
