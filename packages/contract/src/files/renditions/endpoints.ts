import { z } from 'zod'
import { exampleAsset, exampleAssetPath, exampleFile } from '../assets/examples.ts'
import { onAsset } from '../assets/endpoints.ts'
import { RenditionName } from '../assets/shapes.ts'
import { FileIn } from '../../binary.ts'
import { listOf, RepositoryRef } from '../../conventions.ts'
import { crud, patchOf } from '../../crud.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { Item } from '../../content/items/shapes.ts'
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
    binding: onBranch('GET /api/renditions/{configId}/{assetId}'),
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
    binding: onBranch('PUT /api/renditions/{configId}/{assetId}/{rendition}'),
    summary: 'Give an asset a hand-made rendition: a new version',
    description:
      'The body is the file. Under the name of a preset it takes its place for this asset. The original has another way.',
    permission: 'assets.upload',
    input: z.strictObject({ ...onRendition, file: FileIn }),
    output: Item,
    body: 'file',
    errors: ['not_found', 'precondition_failed', 'auto_package_required'],
    example: { input: { ...exampleAssetPath, rendition: 'poster', file: exampleFile }, output: exampleAsset },
  }),
  remove: endpoint({
    binding: onBranch('DELETE /api/renditions/{configId}/{assetId}/{rendition}'),
    summary: 'Remove a hand-made rendition: a new version',
    permission: 'assets.upload',
    input: z.strictObject(onRendition),
    output: Item,
    errors: ['not_found', 'precondition_failed', 'auto_package_required'],
    example: { input: { ...exampleAssetPath, rendition: 'poster' }, output: exampleAsset },
  }),
}

/** Ways to derive a picture, for the assets of a repository. */
export const renditionPresets = crud({
  path: '/api/renditions/{configId}/presets',
  on: onPreset,
  one: 'a rendition preset',
  many: 'the rendition presets of a repository',
  view: 'assets.read',
  write: 'admin.repositories.update',
  output: RenditionPreset,
  at: { configId: 'magazine', name: 'hero' },
  example: examplePreset,
  list: {
    description: "The repository's own. Built in everywhere: thumbnail, small, medium, large and card.",
    input: { configId: RepositoryRef },
    errors: ['not_found'],
    example: { configId: 'magazine' },
  },
  create: {
    input: z.strictObject({
      ...onPreset,
      width: presetMembers.width.default(null),
      height: presetMembers.height.default(null),
      fit: presetMembers.fit.default('inside'),
      format: presetMembers.format.default(null),
      quality: presetMembers.quality.default(80),
      focal: presetMembers.focal.default(true),
    }),
    errors: ['not_found', 'name_taken', 'idempotency_mismatch'],
    example: { configId: 'magazine', name: 'hero', width: 1600, height: 600, fit: 'cover' },
  },
  update: {
    description: 'Only what is sent changes. What was made by it before is made anew.',
    input: patchOf(presetMembers),
    errors: ['not_found', 'precondition_failed'],
    example: { quality: 70 },
  },
})
