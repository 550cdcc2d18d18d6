export { createAsset as create } from './create.ts'
export { getAsset as get } from './get.ts'
export { replaceAsset as replace } from './create.ts'
export { zipAssets as zip } from './archive.ts'
