import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire } from '@quire/core'
import { undiciOutbound } from '@quire/outbound-undici'
import { openSqliteStore } from '@quire/store-sqlite'
import { openInbox } from './inbox.ts'
import { publishAndReport } from './story.ts'

// Both sides have it: the engine keeps it sealed (under a key of its own, which a service keeps: `secrets`), the receiver wherever it keeps secrets.
const secret = `whsec_${randomBytes(32).toString('base64')}`
const inbox = await openInbox(secret)

const folder = mkdtempSync(join(tmpdir(), 'quire-webhooks-'))
const engine = createQuire({
  store: await openSqliteStore({ file: join(folder, 'magazine.db') }),
  // Only public addresses are sent to. This one here is not, so it is allowed by name and port.
  outbound: undiciOutbound({ allow: [`127.0.0.1:${inbox.port}`] }),
})
try {
  await publishAndReport({ engine, inbox, secret, notify: (line) => console.log(line) })
} finally {
  await engine.close()
  await inbox.close()
  rmSync(folder, { recursive: true })
}
