import { imageFormats, type Recipe } from '../ports/index.ts'

const pattern =
  /^(?<format>[a-z]+)_(?<width>auto|[0-9]+)x(?<height>auto|[0-9]+)_(?<fit>[a-z]+)_q(?<quality>[0-9]+)(?:_(?<x>[01]\.[0-9]{3})-(?<y>[01]\.[0-9]{3}))?$/

const fits: readonly Recipe['fit'][] = ['inside', 'cover', 'contain']

/** The recipe that a derived picture is named by (see `nameWanted`); null for a name of another version of before. */
export function recipeNamed(name: string): Recipe | null {
  const { format, width, height, fit, quality, x, y } = pattern.exec(name)?.groups ?? {}
  const known = imageFormats.find((one) => one === format)
  const fitting = fits.find((one) => one === fit)
  if (!known || !fitting) return null
  return {
    width: sideOf(width),
    height: sideOf(height),
    fit: fitting,
    format: known,
    quality: Number(quality),
    focalPoint: x === undefined || y === undefined ? null : { x: Number(x), y: Number(y) },
  }
}

function sideOf(side: string | undefined): number | null {
  return side === undefined || side === 'auto' ? null : Number(side)
}
