export { createAndSave } from './create-and-save.ts'
