/** Schema 9: what a job carries besides its payload, as it is. What deliveries are about was a text within their payload, escaped. */
export const jobBodies = `
ALTER TABLE jobs ADD COLUMN body TEXT;
UPDATE jobs SET body = payload ->> '$.data.text', payload = json_remove(payload, '$.data') WHERE kind = 'webhook.deliver';
`
