import { z } from 'zod'
import { exampleAsset, exampleAssetPath, exampleFile } from '../assets/examples.ts'
import { onAsset } from '../assets/endpoints.ts'
import { RenditionName } from '../assets/shapes.ts'
import { FileIn } from '../binary.ts'
import { listOf, RepositoryRef } from '../conventions.ts'
import { endpoint, onLine } from '../endpoint.ts'
import { Item } from '../items/shapes.ts'
import { presetMembers, Rendition, RenditionPreset } from './shapes.ts'

const examplePreset: RenditionPreset = {
  id: 'PRST_01JB2QE7G9J1K3M5N7P9R1T3V5',
  repositoryId: exampleAsset.repositoryId,
  name: 'hero',
  width: 1600,
  height: 600,
  fit: 'cover',
  format: null,
  quality: 80,
  focal: true,
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_000_000,
}

const onRendition = { ...onAsset, rendition: RenditionName }
const onPreset = { configId: RepositoryRef, name: RenditionName }
const [original] = exampleAsset.renditions

/** The binaries that can be fetched of an asset. */
export const renditions = {
  list: endpoint({
    binding: onLine('GET /api/renditions/{configId}/{assetId}'),
    summary: 'List the renditions of an asset',
    description: 'The original, hand-made ones, and for a picture every preset of the repository.',
    permission: 'assets.read',
    input: z.strictObject(onAsset),
    output: listOf(Rendition),
    errors: ['not_found'],
    example: {
      input: exampleAssetPath,
      output: { count: 1, items: original ? [{ ...original, width: 1600, height: 1200 }] : [] },
    },
  }),
  upload: endpoint({
    binding: onLine('PUT /api/renditions/{configId}/{assetId}/{rendition}'),
    summary: 'Give an asset a hand-made rendition: a new version',
    description:
      'The body is the file. Under the name of a preset it takes its place for this asset. The original has another way.',
    permission: 'assets.upload',
    input: z.strictObject({ ...onRendition, file: FileIn }),
    output: Item,
    body: 'file',
    errors: ['not_found', 'precondition_failed'],
    example: { input: { ...exampleAssetPath, rendition: 'poster', file: exampleFile }, output: exampleAsset },
  }),
  remove: endpoint({
    binding: onLine('DELETE /api/renditions/{configId}/{assetId}/{rendition}'),
    summary: 'Remove a hand-made rendition: a new version',
    permission: 'assets.upload',
    input: z.strictObject(onRendition),
    output: Item,
    errors: ['not_found', 'precondition_failed'],
    example: { input: { ...exampleAssetPath, rendition: 'poster' }, output: exampleAsset },
  }),
}

/** Ways to derive a picture, for the assets of a repository. */
export const renditionPresets = {
  list: endpoint({
    binding: 'GET /api/renditions/{configId}/presets',
    summary: 'List the rendition presets of a repository',
    description: "The repository's own. Built in everywhere: thumbnail, small, medium, large and card.",
    permission: 'assets.read',
    input: z.strictObject({ configId: RepositoryRef }),
    output: listOf(RenditionPreset),
    errors: ['not_found'],
    example: { input: { configId: 'magazine' }, output: { count: 1, items: [examplePreset] } },
  }),
  get: endpoint({
    binding: 'GET /api/renditions/{configId}/presets/{name}',
    summary: 'Read a rendition preset',
    permission: 'assets.read',
    input: z.strictObject(onPreset),
    output: RenditionPreset,
    errors: ['not_found'],
    example: { input: { configId: 'magazine', name: 'hero' }, output: examplePreset },
  }),
  create: endpoint({
    binding: 'POST /api/renditions/{configId}/presets',
    summary: 'Create a rendition preset',
    permission: 'admin.repositories.update',
    input: z.strictObject({
      ...onPreset,
      width: presetMembers.width.default(null),
      height: presetMembers.height.default(null),
      fit: presetMembers.fit.default('inside'),
      format: presetMembers.format.default(null),
      quality: presetMembers.quality.default(80),
      focal: presetMembers.focal.default(true),
    }),
    output: RenditionPreset,
    success: 201,
    errors: ['not_found', 'name_taken', 'idempotency_mismatch'],
    example: {
      input: { configId: 'magazine', name: 'hero', width: 1600, height: 600, fit: 'cover' },
      output: examplePreset,
    },
  }),
  update: endpoint({
    binding: 'PATCH /api/renditions/{configId}/presets/{name}',
    summary: 'Change a rendition preset',
    description: 'Only what is sent changes. What was made by it before is made anew.',
    permission: 'admin.repositories.update',
    input: z.strictObject({ ...onPreset, ...z.object(presetMembers).partial().shape }),
    output: RenditionPreset,
    errors: ['not_found', 'precondition_failed'],
    example: {
      input: { configId: 'magazine', name: 'hero', quality: 70 },
      output: { ...examplePreset, quality: 70 },
    },
  }),
  delete: endpoint({
    binding: 'DELETE /api/renditions/{configId}/presets/{name}',
    summary: 'Delete a rendition preset',
    permission: 'admin.repositories.update',
    input: z.strictObject(onPreset),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'precondition_failed'],
    example: { input: { configId: 'magazine', name: 'hero' } },
  }),
}
