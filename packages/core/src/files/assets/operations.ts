export { createAsset as create } from './create.ts'
export { getAsset as get } from './get.ts'
export { replaceAsset as replace } from './replace.ts'
export { zipAssets as zip } from './zip.ts'
