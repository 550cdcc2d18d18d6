import { z } from 'zod'
import { inAnyCase } from '../../any-case.ts'
import { limits } from '../../limits.ts'
import { webOriginProblem } from '../../origins.ts'

/** The point of a picture that crops keep in view. */
export const FocalPoint = z
  .strictObject({
    x: z.number().min(0).max(1).describe('From the left edge (0) to the right edge (1)'),
    y: z.number().min(0).max(1).describe('From the top edge (0) to the bottom edge (1)'),
  })
  .meta({ id: 'FocalPoint', description: 'The point of a picture that crops keep in view' })

/** The file of an asset. */
export const AssetInfo = z
  .object({
    mimeType: z.string().describe('Media type, detected from the bytes'),
    size: z.int().min(0).describe('Size in bytes'),
    hash: z.string().describe('SHA-256 of the bytes in hexadecimal; also the entity tag of `original`'),
    width: z.int().nullable().describe('Width in pixels, as displayed; null if it is not a picture'),
    height: z.int().nullable().describe('Height in pixels, as displayed; null if it is not a picture'),
    pages: z.int().nullable().describe('Number of frames of an animation; null if it is not a picture'),
    focalPoint: FocalPoint.nullable().describe('The point that crops keep in view; null: the center'),
  })
  .meta({ id: 'Asset', description: 'The file of an asset' })

/** A file that can be fetched for an asset (specification 2.4). */
export const ItemRendition = z
  .object({
    name: z.string().describe('`original`, a preset, or a custom rendition'),
    type: z
      .enum(['original', 'preset', 'custom'])
      .describe('original: the file itself; preset: made from it; custom: uploaded'),
    format: z
      .string()
      .describe('File extension; `auto` for a preset: the best format that the caller accepts'),
    url: z.string().describe('Path to fetch it from'),
    mimeType: z.string(),
    size: z
      .int()
      .optional()
      .describe(
        'Size in bytes. Absent for a preset until its rendition is made, on the first request; then the list of renditions has it',
      ),
    fileName: z.string(),
  })
  .meta({ id: 'ItemRendition', description: 'A file that can be fetched for an asset' })

/** The name of a rendition in a path. */
export const RenditionName = z
  .string()
  .max(limits.renditionName)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be kebab-case: a-z and 0-9, with single dashes in between')
  .describe('`original`, `thumbnail`, `small`, `medium`, `large`, `card`, a preset, or a custom rendition')

/** How a picture is fitted into a width and height. */
export const Fit = z
  .enum(['inside', 'cover', 'contain'])
  .describe(
    'inside: the whole picture, as large as fits; cover: fills the box, the rest is cropped; contain: the whole picture, with margins to fill the box',
  )

/** The format of a rendition. */
export const RenditionFormat = inAnyCase(
  z
    .enum(['avif', 'webp', 'jpeg', 'jpg', 'png'])
    .describe('Output format; upper or lower case in a query. Default: the best one that `Accept` allows'),
)

/** Width or height in pixels. */
export const Pixels = z.int().min(1).max(limits.renditionSide).describe('Pixels, at most 6000')

/** Quality of a rendition, 1 to 100. */
export const Quality = z.int().min(1).max(100).describe('Quality, 1 to 100. Default: 80')

const steps = limits.renditionSteps.join(', ')

/** The parameters of an ad hoc rendition. */
export const madeToMeasure = {
  width: Pixels.optional().describe(`Width in pixels, rounded up to the next of ${steps}`),
  height: Pixels.optional().describe(
    `Height in pixels, rounded up to the next of ${steps}. With a width and \`cover\` or \`contain\`, the box is instead rounded to the nearest of 16 proportions`,
  ),
  fit: Fit.optional(),
  quality: Quality.optional().describe(
    'Quality, 1 to 100, rounded up to the next multiple of 10. Default: 80',
  ),
}

const FetchOrigin = z
  .string()
  .max(300)
  .superRefine((text, context) => {
    const message = webOriginProblem(text)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .describe('`https://images.example.org`, or `https://*.example.org` for any first label of the host')

/** The origins that files may be fetched from. */
export const FetchOrigins = z
  .array(FetchOrigin)
  .max(limits.fetchOrigins)
  .describe('Origins from which `assets.createFromUrl` may fetch files, at most 100; empty: none')
