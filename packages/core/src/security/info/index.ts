export { audit } from './audit.ts'
export { groupInfo, roleInfo, serviceAccountInfo, userInfo } from './info.ts'
export { rotateKeys } from './rotate-keys.ts'
