import { text } from './text.ts'

/** Schema 3: what a job carries besides its payload, as it is. What deliveries are about was a text within their payload, escaped. */
export const jobBodies = `
ALTER TABLE jobs ADD COLUMN body ${text};
UPDATE jobs SET body = payload::json #>> '{data,text}', payload = (payload::jsonb - 'data')::text WHERE kind = 'webhook.deliver';
`
