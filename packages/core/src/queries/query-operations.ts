export { runQuery as run } from './run.ts'
export { runSaved } from './saved.ts'
