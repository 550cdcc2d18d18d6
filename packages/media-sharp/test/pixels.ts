import sharp from 'sharp'

/** The colors of the specimens' quarters and frames, and of backgrounds. */
const colours = {
  red: [220, 30, 30, 255],
  green: [30, 180, 30, 255],
  blue: [30, 30, 220, 255],
  yellow: [230, 220, 30, 255],
  white: [255, 255, 255, 255],
  nothing: [0, 0, 0, 0],
} as const

/**
 * The color at a point of a picture (0 to 1 of its width and height): the nearest of the named
 * colors, within a distance of 3 × 90.
 */
export async function colourAt(bytes: Uint8Array, x: number, y: number): Promise<string> {
  const [red = 0, green = 0, blue = 0, alpha = 0] = await pixelAt(bytes, x, y)
  if (alpha < 40) return 'nothing'
  const distance = (to: readonly number[]) =>
    [red, green, blue, alpha].reduce((sum, value, index) => sum + Math.abs(value - (to[index] ?? 0)), 0)
  const nearest = Object.entries(colours)
    .map(([name, to]) => ({ name, away: distance(to) }))
    .toSorted((a, b) => a.away - b.away)[0]
  return nearest && nearest.away < 270 ? nearest.name : `${red} ${green} ${blue} ${alpha}`
}

/**
 * Red, green, blue and alpha at a point of the first frame, as stored in the file, without a
 * profile.
 */
export async function pixelAt(bytes: Uint8Array, x: number, y: number): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes, { ignoreIcc: true })
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const column = Math.min(info.width - 1, Math.floor(x * info.width))
  const row = Math.min(info.height - 1, Math.floor(y * info.height))
  const at = (row * info.width + column) * info.channels
  return [...data.subarray(at, at + 4)]
}

/** The colors in the middle of the four quarters, row by row. */
export function quartersOf(bytes: Uint8Array): Promise<string[]> {
  const middles = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [x, y] as const))
  return Promise.all(middles.map(([x, y]) => colourAt(bytes, x, y)))
}
