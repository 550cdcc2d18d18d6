import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire } from '@quire/core'
import { undiciOutbound } from '@quire/outbound-undici'
import { openSqliteStore } from '@quire/store-sqlite'
import { openInbox } from './inbox.ts'
import { publishAndReport } from './story.ts'

// Both sides have the secret. The engine stores it encrypted with its own key (`secrets`), which a
// service must keep. The receiver stores it with its other secrets.
const secret = `whsec_${randomBytes(32).toString('base64')}`
const inbox = await openInbox(secret)

const folder = mkdtempSync(join(tmpdir(), 'quire-webhooks-'))
const engine = createQuire({
  store: await openSqliteStore({ file: join(folder, 'magazine.db') }),
  // By default, webhooks go only to public addresses. This local one is allowed by host and port.
  outbound: undiciOutbound({ allow: [`127.0.0.1:${inbox.port}`] }),
})
try {
  await publishAndReport({ engine, inbox, secret, notify: (line) => console.log(line) })
} finally {
  await engine.close()
  await inbox.close()
  rmSync(folder, { recursive: true })
}
