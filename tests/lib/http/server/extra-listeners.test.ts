import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openExtraListeners } from '../../../../lib/http/server/extra-listeners'

const CLIENTS = 40

async function listen(take: (socket: Socket) => void): Promise<Server> {
  const server = createServer(take).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const portOf = (server: Server) => (server.address() as AddressInfo).port // The server listens on a port.

it('accepts several connections in one round of the event loop, each once, and closes with them', async () => {
  const taken: Socket[] = []
  const take = (socket: Socket) => void taken.push(socket.on('error', () => {}))
  const server = await listen(take)
  const doors = await openExtraListeners(server, take)
  const clients = Array.from({ length: CLIENTS }, () => connect(portOf(server), '127.0.0.1').on('error', () => {}))
  let rounds = 0
  for (; taken.length < CLIENTS && rounds < 10 * CLIENTS; rounds += taken.length > 0 ? 1 : 0) await setImmediate()
  expect(taken).toHaveLength(CLIENTS)
  expect(rounds).toBeLessThan(CLIENTS / 2)
  expect(new Set(taken.map(({ remotePort }) => remotePort)).size).toBe(CLIENTS)

  for (const socket of [...clients, ...taken]) socket.destroy()
  const port = portOf(server)
  await Promise.all([server, ...doors].map(one => new Promise(resolve => one.close(resolve))))
  const [error] = (await once(connect(port, '127.0.0.1'), 'error').catch((reason: unknown) => [reason])) as [
    NodeJS.ErrnoException,
  ]
  expect(error.code).toBe('ECONNREFUSED')
})
