export { actInWorkflow as event } from './event.ts'
export { getWorkflow as get, listReviews as inbox } from './reads.ts'
export { tellStatus as status } from './status.ts'
