import { z } from 'zod'
import { inAnyCase } from '../../any-case.ts'
import { limits } from '../../limits.ts'

/** What a cut keeps in view. */
export const FocalPoint = z
  .strictObject({
    x: z.number().min(0).max(1).describe('From the left edge (0) to the right (1)'),
    y: z.number().min(0).max(1).describe('From the upper edge (0) to the lower (1)'),
  })
  .meta({ id: 'FocalPoint', description: 'What a cut of a picture keeps in view' })

/** The binary of an asset. */
export const AssetInfo = z
  .object({
    mimeType: z.string().describe('What the bytes are, whatever their sender said'),
    size: z.int().min(0).describe('Bytes'),
    hash: z.string().describe('SHA-256 of the bytes, hexadecimal; the entity tag of `original`'),
    width: z.int().nullable().describe('Pixels, as people see it; null for what is no picture'),
    height: z.int().nullable().describe('Pixels, as people see it; null for what is no picture'),
    pages: z.int().nullable().describe('Frames of an animation; null for what is no picture'),
    focalPoint: FocalPoint.nullable().describe('What cuts keep in view; null: the middle'),
  })
  .meta({ id: 'Asset', description: 'The binary of an asset' })

/** One binary that can be fetched of an asset (specification 2.4). */
export const ItemRendition = z
  .object({
    name: z.string().describe('`original`, a preset, or a hand-made rendition'),
    type: z.enum(['original', 'preset', 'custom']).describe('custom: made by hand'),
    format: z.string().describe('The file extension; `auto`: what the caller takes best, of a preset'),
    url: z.string().describe('The path of its retrieval'),
    mimeType: z.string(),
    size: z
      .int()
      .optional()
      .describe(
        'Bytes; absent for a preset, which is made when it is first asked for: the list of renditions says it from then on',
      ),
    fileName: z.string(),
  })
  .meta({ id: 'ItemRendition', description: 'One binary of an asset' })

/** The name of a rendition in a path. */
export const RenditionName = z
  .string()
  .max(limits.renditionName)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be kebab-case: a-z, 0-9 and single dashes between them')
  .describe('`original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a hand-made rendition')

/** How a picture fits into a width and a height. */
export const Fit = z
  .enum(['inside', 'cover', 'contain'])
  .describe(
    'inside: the whole picture, as large as fits; cover: both filled, the rest cut; contain: both filled, with margins',
  )

/** The format of a rendition. */
export const RenditionFormat = inAnyCase(
  z
    .enum(['avif', 'webp', 'jpeg', 'jpg', 'png'])
    .describe('Output format, in a query in any case; default: what `Accept` takes best'),
)

/** Pixels of a side. */
export const Pixels = z.int().min(1).max(limits.renditionSide).describe('Pixels, at most 6000')

/** 1 to 100. */
export const Quality = z.int().min(1).max(100).describe('1 to 100; default 80')

const steps = limits.renditionSteps.join(', ')

/** What a request says of a picture that is made for it. */
export const madeToMeasure = {
  width: Pixels.optional().describe(`Pixels, rounded up to the next of ${steps}`),
  height: Pixels.optional().describe(
    `Pixels, rounded up to the next of ${steps}; of a box that is filled (cover, contain) in the nearest of 16 proportions instead`,
  ),
  fit: Fit.optional(),
  quality: Quality.optional().describe('1 to 100, rounded up to the next of 10, 20 to 100; default 80'),
}
