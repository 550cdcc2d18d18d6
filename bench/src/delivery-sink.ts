// A receiver of webhook deliveries in its own process. It accepts every delivery, and answers any
// message with the number received.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let received = 0
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    received += 1
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has an AddressInfo.
  process.send?.((server.address() as AddressInfo).port)
})
process.on('message', () => process.send?.(received))
process.once('disconnect', () => process.exit(0))
