export { me } from './me.ts'
export { visit } from './visit.ts'
