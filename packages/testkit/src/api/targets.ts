import { fakeOutbound, type FakeOutbound } from '@quire/core/memory'
import { OutboundFailure } from '@quire/core/ports'

/** Where webhooks of the suite are posted to: what the path says is what it answers. A fake: nothing is sent. */
export function fakeTargets(): FakeOutbound {
  return fakeOutbound(({ url }) => {
    const { pathname } = new URL(url)
    const [, what = '', status = ''] = pathname.split('/')
    if (what === 'down') throw new OutboundFailure('unreachable', 'The host does not answer.')
    const body = new TextEncoder().encode(what === 'long' ? 'x'.repeat(10_000) : 'taken')
    return { status: what === 'status' ? Number(status) : 200, headers: [], body, isCut: false }
  })
}
