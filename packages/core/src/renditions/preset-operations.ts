export {
  createPreset as create,
  deletePreset as delete,
  getPreset as get,
  listPresets as list,
  updatePreset as update,
} from './presets.ts'
