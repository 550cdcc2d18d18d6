export { issueToken as token } from './token.ts'
export { keys, metadata } from './metadata.ts'
export { myPermissions } from './my-permissions.ts'
