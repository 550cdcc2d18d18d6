import { z } from 'zod'
import { Fit, ItemRendition, Pixels, Quality, RenditionFormat, RenditionName } from '../assets/shapes.ts'
import { Id, UnixMs } from '../../conventions.ts'

/** The members of a preset that a caller can set. */
export const presetMembers = {
  width: Pixels.nullable().describe('Maximum width in pixels; null: determined by the height'),
  height: Pixels.nullable().describe('Maximum height in pixels; null: determined by the width'),
  fit: Fit,
  format: RenditionFormat.nullable().describe('Output format; null: the best one that the caller accepts'),
  quality: Quality,
  focal: z.boolean().describe('Whether a crop keeps the focal point in view; otherwise the center'),
}

/** A rendition preset: named settings of derived pictures in a repository. */
export const RenditionPreset = z
  .object({
    id: Id,
    repositoryId: Id,
    name: RenditionName,
    ...presetMembers,
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({ id: 'RenditionPreset', description: 'A rendition preset: named settings of derived pictures' })

/** A rendition preset: named settings of derived pictures in a repository. */
export type RenditionPreset = z.output<typeof RenditionPreset>

/** A rendition with its size in pixels. */
export const Rendition = ItemRendition.extend({
  width: z.int().nullable().describe('Width in pixels; null if it is not known until the rendition is made'),
  height: z
    .int()
    .nullable()
    .describe('Height in pixels; null if it is not known until the rendition is made'),
}).meta({ id: 'Rendition', description: 'A file that can be fetched for an asset' })
