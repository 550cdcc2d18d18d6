export { countJobs as stats, getJob as get, listJobs as list } from './reads.ts'
export { watchJob as watch } from './watch.ts'
export { cancelJob as cancel, retryJob as retry } from './writes.ts'
