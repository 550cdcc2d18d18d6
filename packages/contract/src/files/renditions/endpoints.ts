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

/** Operations on the renditions of assets. */
export const renditions = {
  list: endpoint({
    binding: onBranch('GET /api/renditions/{configId}/{assetId}'),
    summary: 'List the renditions of an asset',
    description:
      'Returns the original, the custom renditions, and for a picture every preset of the repository.',
    permission: { key: 'assets.read', on: 'item' },
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
    summary: 'Upload a custom rendition of an asset, in a new version',
    description:
      'The body is the file. With the name of a preset it replaces the preset for this asset. To replace the original, use `assets.replace`.',
    permission: { key: 'assets.upload', on: 'item', to: 'change' },
    input: z.strictObject({ ...onRendition, file: FileIn }),
    output: Item,
    body: 'file',
    errors: ['not_found', 'precondition_failed', 'auto_package_required'],
    example: { input: { ...exampleAssetPath, rendition: 'poster', file: exampleFile }, output: exampleAsset },
  }),
  remove: endpoint({
    binding: onBranch('DELETE /api/renditions/{configId}/{assetId}/{rendition}'),
    summary: 'Remove a custom rendition, in a new version',
    permission: { key: 'assets.upload', on: 'item', to: 'change' },
    input: z.strictObject(onRendition),
    output: Item,
    errors: ['not_found', 'precondition_failed', 'auto_package_required'],
    example: { input: { ...exampleAssetPath, rendition: 'poster' }, output: exampleAsset },
  }),
}

/** Operations on rendition presets: the named settings of derived pictures in a repository. */
export const renditionPresets = crud({
  path: '/api/renditions/{configId}/presets',
  on: onPreset,
  one: 'a rendition preset',
  many: 'the rendition presets of a repository',
  view: { key: 'assets.read', on: 'repository' },
  write: { key: 'admin.repositories.update', on: 'repository' },
  output: RenditionPreset,
  at: { configId: 'magazine', name: 'hero' },
  example: examplePreset,
  list: {
    description:
      "Returns the repository's own presets. Built in everywhere: thumbnail, small, medium, large and card.",
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
    description: 'Only the members that are sent change. Existing renditions of the preset are made again.',
    input: patchOf(presetMembers),
    errors: ['not_found', 'precondition_failed'],
    example: { quality: 70 },
  },
})
