export { deleteFolder as delete } from './delete.ts'
export { getFolder as get, listFolders as list, readFolderTree as tree } from './reads.ts'
export { createFolder as create, moveFolder as move, updateFolder as update } from './writes.ts'
