import { z } from 'zod'
import { Fit, ItemRendition, Pixels, Quality, RenditionFormat, RenditionName } from '../assets/shapes.ts'
import { Id, UnixMs } from '../../conventions.ts'

/** What of a preset its makers say. */
export const presetMembers = {
  width: Pixels.nullable().describe('Pixels at most; null: as the height asks for'),
  height: Pixels.nullable().describe('Pixels at most; null: as the width asks for'),
  fit: Fit,
  format: RenditionFormat.nullable().describe('null: what the caller takes best'),
  quality: Quality,
  focal: z.boolean().describe('Whether a cut keeps the focal point in view; else the middle'),
}

/** A named way to derive a picture, of one repository. */
export const RenditionPreset = z
  .object({
    id: Id,
    repositoryId: Id,
    name: RenditionName,
    ...presetMembers,
    createdDate: UnixMs,
    updatedDate: UnixMs,
  })
  .meta({ id: 'RenditionPreset', description: 'A named way to derive a picture' })

/** A named way to derive a picture, of one repository. */
export type RenditionPreset = z.output<typeof RenditionPreset>

/** One binary of an asset with what it takes to make it. */
export const Rendition = ItemRendition.extend({
  width: z.int().nullable().describe('Pixels; null where it is not known before it is made'),
  height: z.int().nullable().describe('Pixels; null where it is not known before it is made'),
}).meta({ id: 'Rendition', description: 'One binary of an asset' })
