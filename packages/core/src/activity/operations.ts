import { getActivity } from './item.ts'
import { listActivity } from './log.ts'

/** What was done, and by whom. */
export const activity = { get: getActivity, list: listActivity }
